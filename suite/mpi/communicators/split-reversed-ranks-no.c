/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "on a communicator with reversed ranks, target 0 is world rank 1, which stores an epoch later"} */
/* The fence completes the put before the store of world rank 1 (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 1;
    MPI_Comm reversed;
    MPI_Win win;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, reversed, &cells, &win);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
    if (rank == 0)
        cells[2] = 5; /* world rank 0 is target 1 here: no conflict */
    MPI_Win_fence(0, win);
    if (rank == 1)
        cells[2] = 6;
    MPI_Win_fence(0, win);

    printf("world rank %d: %d\n", rank, cells[2]);
    MPI_Win_free(&win);
    MPI_Comm_free(&reversed);
    MPI_Finalize();
    return 0;
}
