/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a get from a shared window, a fence, then a neighbour's direct store"} */
/* The fence completes the get and orders the processes (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *mine, *owned_by_0, copy = 0, unit;
    MPI_Aint size;
    MPI_Win win;
    MPI_Win_allocate_shared(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &owned_by_0);
    mine[2] = rank;

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(&copy, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        owned_by_0[2] = 5;
    MPI_Win_fence(0, win);

    printf("rank %d: %d %d\n", rank, copy, owned_by_0[2]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
