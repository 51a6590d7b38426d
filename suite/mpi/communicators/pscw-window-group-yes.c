/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@25", "LOAD@30"], "NPROCS": 2, "DESCRIPTION": "groups taken from the window: the target loads before MPI_Win_wait"} */
/* The exposure epoch is over only after MPI_Win_wait (MPI-4.1 12.5.2, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 4, peer, win_rank;
    MPI_Comm reversed;
    MPI_Group all, others;
    MPI_Win win;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Comm_rank(reversed, &win_rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, reversed, &cells, &win);
    cells[0] = 0;
    MPI_Win_get_group(win, &all);
    peer = 1 - win_rank;
    MPI_Group_incl(all, 1, &peer, &others);

    if (win_rank == 0) {
        MPI_Win_start(others, 0, win);
        MPI_Put(&value, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        int seen;
        MPI_Win_post(others, 0, win);
        seen = cells[0];
        MPI_Win_wait(win);
        printf("world rank %d sees %d\n", rank, seen);
    }

    MPI_Group_free(&others);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    MPI_Comm_free(&reversed);
    MPI_Finalize();
    return 0;
}
