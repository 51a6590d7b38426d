/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get_accumulate@22", "STORE@23"], "NPROCS": 2, "DESCRIPTION": "the origin buffer of a get_accumulate is overwritten while it is pending", "RULE": "local-race"} */
/* The origin buffer is read until the call is complete at the origin (MPI-4.1 12.3.4). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int amount = 5, before = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Get_accumulate(&amount, 1, MPI_INT, &before, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
        amount = 0;
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d\n", amount, before);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
