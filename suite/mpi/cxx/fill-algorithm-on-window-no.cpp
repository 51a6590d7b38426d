/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "std::fill clears a part of the window before the accumulate's epoch"} */
/* The fence orders the stores before the accumulate (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <algorithm>
#include <cstdio>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long *cells, one = 1;
    MPI_Win win;
    MPI_Win_allocate(40 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    std::fill(cells, cells + 40, 7L);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Accumulate(&one, 1, MPI_LONG, 1, 39, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_fence(0, win);

    std::printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
