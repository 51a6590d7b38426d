/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@23", "memcpy@25"], "NPROCS": 2, "DESCRIPTION": "the owner copies its window out by memcpy while a put is under way"} */
/* memcpy loads from the window as the program's own loads do (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH = 200 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *field, value = 2.0;
    static double saved[LENGTH];
    MPI_Win win;
    MPI_Win_allocate(LENGTH * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &field, &win);
    for (int i = 0; i < LENGTH; i++)
        field[i] = i;

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_DOUBLE, 1, 150, 1, MPI_DOUBLE, win);
    if (rank == 1)
        memcpy(saved, field, sizeof saved);
    MPI_Win_fence(0, win);

    printf("rank %d: %g\n", rank, saved[150]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
