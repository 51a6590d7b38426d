/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@9", "STORE@31"], "NPROCS": 2, "DESCRIPTION": "a helper returns early, before its flush", "RULE": "local-race"} */
/* The put reads its origin buffer until it is complete at the origin (MPI-4.1 12.3.1, 12.5.4); the
   early return leaves it pending. */
#include <mpi.h>
#include <stdio.h>

static void send(const int *cell, int careful, MPI_Win win)
{
    MPI_Put(cell, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    if (!careful)
        return;
    MPI_Win_flush_local(1, win);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        send(&value, 0, win);
        value = 0;
    } else {
        printf("idle\n");
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
