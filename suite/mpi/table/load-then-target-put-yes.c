/* {"RACE_KIND": "remote", "RACE_PAIR": ["LOAD@23", "MPI_Put@25"], "NPROCS": 2, "DESCRIPTION": "a load of window memory by its owner and a remote put that writes the same, with nothing between them", "RULE": "remote-race"} */
/* No synchronisation orders the owner's access before the operation of the other process (MPI-4.1
   12.7); cell (load, target put) of Ait Kaci 2022, Table 3.1. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7, seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        seen = x[0];
    } else {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d %d\n", x[0], seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
