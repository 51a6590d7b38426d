/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the origin buffer of a put is freed after its completion"} */
/* The unlock completes the put (MPI-4.1 12.5.3). */
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
    MPI_Win_unlock_all(win);
    free(buffer);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
