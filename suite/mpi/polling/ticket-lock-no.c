/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a ticket lock is released after the put under it is flushed"} */
/* The put is complete before the lock is passed on, and the lock is made of atomics (MPI-4.1 12.7;
   Hoefler et al. 2014, Fig. 8b). */
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
    MPI_Win_flush(0, win);

    MPI_Accumulate(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", count);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
