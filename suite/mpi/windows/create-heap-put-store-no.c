/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "put into heap memory, the owner stores to it after the closing fence"} */
/* The second fence completes the put at the target before the store (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 100 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *field = malloc(LENGTH * sizeof(double));
    double value = 2.5;
    MPI_Win win;
    for (int i = 0; i < LENGTH; i++)
        field[i] = rank;
    MPI_Win_create(field, LENGTH * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_DOUBLE, 1, LENGTH - 1, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        field[LENGTH - 1] = -1.0;
    MPI_Win_fence(0, win);

    printf("rank %d: %g\n", rank, field[LENGTH - 1]);
    MPI_Win_free(&win);
    free(field);
    MPI_Finalize();
    return 0;
}
