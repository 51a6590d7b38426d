/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@22", "free@24"], "NPROCS": 2, "DESCRIPTION": "window memory is freed in the epoch of a put to it"} */
/* The fence that would complete the put comes after (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Of a size that hardly anybody else allocates: the put must not change memory that has a new owner. */
enum { LENGTH = 250 };

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
    if (rank == 1)
        free(cells);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    free(buffer);
    MPI_Finalize();
    return 0;
}
