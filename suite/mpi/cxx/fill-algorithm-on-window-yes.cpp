/* {"RACE_KIND": "remote", "RACE_PAIR": ["STORE@18", "MPI_Accumulate@20"], "NPROCS": 2, "DESCRIPTION": "std::fill clears a part of the window while an accumulate is under way"} */
/* The stores are made inside the library's template, for the line that calls it (MPI-4.1 12.7). */
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

    MPI_Win_fence(0, win);
    if (rank == 1)
        std::fill(cells, cells + 40, 7L);
    if (rank == 0)
        MPI_Accumulate(&one, 1, MPI_LONG, 1, 39, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_fence(0, win);

    std::printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
