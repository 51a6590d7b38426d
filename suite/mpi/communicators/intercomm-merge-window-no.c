/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a window on a merged inter-communicator: its target 0 is world rank 1, which stores an epoch later"} */
/* The fence orders the put before the store (MPI-4.1 7.6.2, 12.5.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 4;
    MPI_Comm own, between, merged;
    MPI_Win win;
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &own);
    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - rank, 3, &between);
    MPI_Intercomm_merge(between, rank == 0, &merged);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, merged, &cells, &win);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        cells[1] = 9;
    MPI_Win_fence(0, win);

    MPI_Win_free(&win);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&between);
    MPI_Comm_free(&own);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
