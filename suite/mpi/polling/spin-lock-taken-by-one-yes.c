/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@26", "MPI_Put@26"], "NPROCS": 2, "DESCRIPTION": "one process takes the lock, the other does not", "RULE": "remote-race"} */
/* A lock that only one process takes orders nothing (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, zero = 0, held = 1, value = rank;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        held = 0;
    while (held) {
        MPI_Compare_and_swap(&one, &zero, &held, MPI_INT, 0, 0, win);
        MPI_Win_flush(0, win);
    }
    MPI_Put(&value, 1, MPI_INT, 0, 4, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    if (rank == 0)
        MPI_Accumulate(&zero, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", value);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
