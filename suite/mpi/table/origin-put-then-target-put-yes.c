/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@23", "MPI_Put@27"], "NPROCS": 2, "DESCRIPTION": "a put that reads window memory is still pending at the barrier, then a remote put that writes the same", "RULE": "remote-race"} */
/* The barrier orders the processes, but it does not complete the pending operation (MPI-4.1 12.5.4,
   12.7); cell (origin put, target put) of Ait Kaci 2022, Table 3.1. */
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
        MPI_Put(&x[0], 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d %d\n", x[0], seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
