/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@31", "MPI_Get@28"], "FURTHER_PAIRS": [["MPI_Put@31", "MPI_Put@31"]], "NPROCS": 2, "DESCRIPTION": "a ticket lock is released before the put under it is flushed", "RULE": "remote-race"} */
/* Whoever takes the lock next may get the counter before the put has arrived (MPI-4.1 12.5.4, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, ticket = 0, serving = -1, count = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Win_flush(0, win);
    while (serving != ticket) {
        MPI_Fetch_and_op(NULL, &serving, MPI_INT, 0, 1, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
    }

    /* The critical section: one more in x[4] of rank 0. */
    MPI_Get(&count, 1, MPI_INT, 0, 4, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    count++;
    MPI_Put(&count, 1, MPI_INT, 0, 4, 1, MPI_INT, win);

    MPI_Accumulate(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", count);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
