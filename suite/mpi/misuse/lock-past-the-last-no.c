/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a lock of the last rank"} */
/* Ranks of a window go from 0 to one less than its processes (MPI-4.1 12.5.3). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int value = rank + 1, *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);

    MPI_Win_lock(MPI_LOCK_SHARED, size - 1, 0, win);
    MPI_Win_unlock(size - 1, win);

    MPI_Win_free(&win);
    printf("rank %d done\n", rank);
    MPI_Finalize();
    return 0;
}
