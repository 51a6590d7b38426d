/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Compare_and_swap@18"], "NPROCS": 2, "DESCRIPTION": "a compare-and-swap of numbers of type double", "RULE": "invalid-argument"} */
/* Compare-and-swap takes integers, logicals and bytes (MPI-4.1 12.3.4). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);

    double old, now = 1, before = 0;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Compare_and_swap(&now, &before, &old, MPI_DOUBLE, 0, 0, win);
    MPI_Win_unlock(0, win);

    MPI_Win_free(&win);
    printf("rank %d done\n", rank);
    MPI_Finalize();
    return 0;
}
