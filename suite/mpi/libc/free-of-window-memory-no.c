/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "window memory is freed after the window"} */
/* MPI_Win_free returns when all that had access are through (MPI-4.1 12.2.5). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 100 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *buffer = calloc(LENGTH, sizeof(int));
    int *cells = calloc(LENGTH, sizeof(int));
    MPI_Win win;
    MPI_Win_create(cells, LENGTH * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(buffer, LENGTH, MPI_INT, 1, 0, LENGTH, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    free(cells);
    free(buffer);
    MPI_Finalize();
    return 0;
}
