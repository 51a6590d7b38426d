/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a put that reads window memory and a remote get that reads the same, unordered: reads only"} */
/* Neither access writes the cell, so they may overlap (MPI-4.1 12.7); cell (origin put, target get) of
   Ait Kaci 2022, Table 3.1 is permitted. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 1)
        MPI_Put(&x[0], 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    else
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d %d\n", x[0], seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
