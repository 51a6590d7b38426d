/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Get@22", "memcpy@24"], "NPROCS": 2, "DESCRIPTION": "the owner copies into its window by memcpy, with a length known at run time only, while a get reads it"} */
/* memcpy stores to the window before the closing fence (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, copy = 0, size;
    int source[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    MPI_Win win;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    size_t length = 2 * (size_t)size; /* 4 elements on two processes */
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[3] = 0;

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(&copy, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
    if (rank == 1)
        memcpy(cells, source, length * sizeof(int));
    MPI_Win_fence(0, win);

    printf("rank %d: %d\n", rank, copy);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
