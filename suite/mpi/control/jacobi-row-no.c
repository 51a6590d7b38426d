/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a one-dimensional stencil updates its edge after the halo has come"} */
/* The fence completes the halo exchange before the update (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <stdio.h>

enum { CELLS = 14 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = rank + i;

    int left = rank == 0 ? MPI_PROC_NULL : 0, right = rank == 1 ? MPI_PROC_NULL : 1;
    double next[CELLS + 2];
    for (int step = 0; step < 3; step++) {
        MPI_Win_fence(0, win);
        MPI_Put(&x[1], 1, MPI_DOUBLE, left, CELLS + 1, 1, MPI_DOUBLE, win);
        MPI_Put(&x[CELLS], 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
        MPI_Win_fence(0, win);
        for (int i = 1; i <= CELLS - 1; i++)
            next[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
        for (int i = 1; i <= CELLS - 1; i++)
            x[i] = next[i];
    }
    MPI_Win_fence(0, win);
    printf("%f\n", x[1]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
