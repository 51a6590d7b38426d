/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@23", "MPI_Get@24"], "NPROCS": 2, "DESCRIPTION": "a put and a get of one origin, to the same cell, in one epoch", "RULE": "remote-race"} */
/* Puts and gets of one epoch have no order, not even from one origin to one target (MPI-4.1 12.7);
   cell (target put, target get) of Ait Kaci 2022, Table 3.1. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int first = 1, second = 2;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&first, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Get(&second, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d %d %d\n", x[0], first, second);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
