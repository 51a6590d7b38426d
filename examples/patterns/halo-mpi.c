/* A ring of processes exchanges the borders of their parts, one fence before and one after. */
#include <mpi.h>
#include <stdio.h>

enum { CELLS = 8, STEPS = 4 };

int main(int argc, char **argv)
{
    int rank, size;
    double *u, next[CELLS + 2];
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Win_allocate((CELLS + 2) * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &u, &win);
    for (int i = 0; i < CELLS + 2; i++)
        u[i] = rank;

    for (int step = 0; step < STEPS; step++) {
        MPI_Win_fence(0, win);
        MPI_Put(&u[1], 1, MPI_DOUBLE, left, CELLS + 1, 1, MPI_DOUBLE, win);
        MPI_Put(&u[CELLS], 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
#ifndef FORGET
        MPI_Win_fence(0, win);
#endif
        for (int i = 1; i <= CELLS; i++)
            next[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
        for (int i = 1; i <= CELLS; i++)
            u[i] = next[i];
    }
    MPI_Win_fence(0, win);
    printf("%d: %g\n", rank, u[1]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
