/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Accumulate@18"], "NPROCS": 2, "DESCRIPTION": "an accumulate of bits of numbers of type double", "RULE": "invalid-argument", "TIME_LIMIT": 5} */
/* Bitwise operators have no meaning for real numbers (MPI-4.1 6.9.2, 12.3.4). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);

    double bits = 3;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Accumulate(&bits, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_BOR, win);
    MPI_Win_unlock(0, win);

    MPI_Win_free(&win);
    printf("rank %d done\n", rank);
    MPI_Finalize();
    return 0;
}
