/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@22", "LOAD@27"], "NPROCS": 2, "DESCRIPTION": "the higher rank puts, MPI_Exscan, the lower rank loads", "RULE": "remote-race"} */
/* MPI_Exscan brings data from lower ranks to higher ones, so rank 0 need not wait for rank 1 (MPI-4.1
   6.1, 6.11.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7, seen = 0, note = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
    }
    MPI_Exscan(&value, &note, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        seen = x[0];
    MPI_Win_unlock_all(win);

    printf("%d\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
