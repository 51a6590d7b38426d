/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@24", "STORE@26"], "NPROCS": 2, "DESCRIPTION": "put into heap memory while its owner stores to it in the same fence epoch"} */
/* Between two fences the put may take effect at any time; the owner's store to the same element
   is not ordered with it (MPI-4.1 12.5.1, 12.7). */
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
    if (rank == 1)
        field[LENGTH - 1] = -1.0;
    MPI_Win_fence(0, win);

    printf("rank %d: %g\n", rank, field[LENGTH - 1]);
    MPI_Win_free(&win);
    free(field);
    MPI_Finalize();
    return 0;
}
