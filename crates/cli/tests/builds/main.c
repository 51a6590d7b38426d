#include "halo.h"
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, n = 8;
    double *line;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate((n + 2) * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &line, &win);
    for (int i = 0; i < n + 2; i++) line[i] = rank;
    MPI_Barrier(MPI_COMM_WORLD);
    exchange(line, n, (rank + size - 1) % size, (rank + 1) % size, win);
    printf("%g\n", line[1]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
