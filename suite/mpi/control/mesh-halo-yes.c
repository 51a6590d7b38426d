/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@25", "LOAD@28"], "NPROCS": 2, "DESCRIPTION": "an irregular halo exchange sends the word before the flush", "RULE": "remote-race"} */
/* When the neighbour is told, the puts are still pending (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <stdio.h>

static const int ghosts[2][3] = {{8, 11, 9}, {12, 8, 10}};
static const int owned[2][3] = {{1, 4, 2}, {0, 3, 5}};

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int total = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = rank + i;

    int peer = 1 - rank, note = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++)
        MPI_Put(&x[owned[rank][i]], 1, MPI_INT, peer, ghosts[peer][i], 1, MPI_INT, win);
    MPI_Sendrecv(&rank, 1, MPI_INT, peer, 0, &note, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++)
        total += x[ghosts[rank][i]];
    MPI_Win_unlock_all(win);
    printf("%d\n", total);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
