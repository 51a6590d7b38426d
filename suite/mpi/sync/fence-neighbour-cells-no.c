/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "two processes put to neighbouring cells in one fence epoch"} */
/* The puts write x[0..1] and x[2..3], which do not overlap (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double row[3] = {1.0, 2.0, 3.0};
    double *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(row, 2, MPI_DOUBLE, 1, 0, 2, MPI_DOUBLE, win);
    } else {
        MPI_Put(row, 2, MPI_DOUBLE, 1, 2, 2, MPI_DOUBLE, win);
    }
    MPI_Win_fence(0, win);
    printf("%f\n", x[2]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
