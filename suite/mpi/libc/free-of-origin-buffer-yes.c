/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@21", "free@22"], "NPROCS": 2, "DESCRIPTION": "the origin buffer of a put that is not complete is freed"} */
/* The put may read its buffer until the unlock, and the memory may be used again before (MPI-4.1 12.3). */
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
    int *cells;
    MPI_Win win;
    MPI_Win_allocate(LENGTH * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(buffer, LENGTH, MPI_INT, 1, 0, LENGTH, MPI_INT, win);
    free(buffer);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
