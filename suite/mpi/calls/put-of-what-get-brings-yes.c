/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@22", "MPI_Put@23"], "NPROCS": 2, "DESCRIPTION": "a put sends what a pending get is still to bring", "RULE": "local-race"} */
/* The put reads the buffer that the get may not have written yet (MPI-4.1 12.3, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double cell = 0.0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Get(&cell, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, win);
        MPI_Put(&cell, 1, MPI_DOUBLE, 1, 4, 1, MPI_DOUBLE, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%f\n", cell);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
