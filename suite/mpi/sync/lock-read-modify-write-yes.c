/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Get@22", "MPI_Put@25"], "FURTHER_PAIRS": [["MPI_Put@25", "MPI_Put@25"]], "NPROCS": 2, "DESCRIPTION": "a counter is incremented by get and put under shared locks", "RULE": "remote-race"} */
/* The put of one process may come between the get and the put of the other (MPI-4.1 12.5.3, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long count = 0;
    long *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Barrier(MPI_COMM_WORLD);

    for (int i = 0; i < 3; i++) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Get(&count, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_flush(0, win);
        count++;
        MPI_Put(&count, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_unlock(0, win);
    }

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%ld\n", x[0]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
