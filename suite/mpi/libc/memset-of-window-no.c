/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the owner clears its window by memset before the epoch of the accumulate"} */
/* The first fence orders memset before the accumulate (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH = 300 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *counts, one = 1;
    MPI_Win win;
    MPI_Win_allocate(LENGTH * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counts, &win);

    memset(counts, 0, LENGTH * sizeof(int));
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Accumulate(&one, 1, MPI_INT, 1, 250, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);

    printf("rank %d: %d\n", rank, counts[250]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
