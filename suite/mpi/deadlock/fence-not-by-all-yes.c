/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_fence@19", "MPI_Barrier@21"], "NPROCS": 2, "DESCRIPTION": "one process calls a fence more than the other, which waits in a barrier", "RULE": "collective-mismatch", "TIME_LIMIT": 10} */
/* MPI_Win_fence is collective: the second fence of rank 0 waits for one of rank 1 (MPI-4.1
   12.5.1, 6.14). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 1;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_fence(0, win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
