/* Process 0 gives numbers to process 1 through a queue of four slots: data first, then the counter of items. */
#include <mpi.h>
#include <stdio.h>

enum { SLOTS = 4, ITEMS = 6, HEAD = SLOTS, TAIL, WORDS };

static MPI_Win win;

static long counter(int rank, int at)
{
    long none = 0, value;
    MPI_Fetch_and_op(&none, &value, MPI_LONG, rank, at, MPI_NO_OP, win);
    MPI_Win_flush(rank, win);
    return value;
}

static void count(int rank, int at)
{
    long one = 1;
    MPI_Accumulate(&one, 1, MPI_LONG, rank, at, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_flush(rank, win);
}

int main(int argc, char **argv)
{
    int rank;
    long *queue, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(WORDS * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &queue, &win);
    for (int i = 0; i < WORDS; i++)
        queue[i] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);

    for (long i = 0; i < ITEMS && rank < 2; i++) {
        long item = i + 1;
        if (rank == 0) {
            while (i - counter(1, TAIL) >= SLOTS)
                ;
            MPI_Put(&item, 1, MPI_LONG, 1, i % SLOTS, 1, MPI_LONG, win);
#ifndef FORGET
            MPI_Win_flush(1, win);
#endif
            count(1, HEAD);
        } else {
            while (counter(1, HEAD) <= i)
                ;
            MPI_Win_sync(win);
            sum += queue[i % SLOTS];
            count(1, TAIL);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        printf("%ld\n", sum);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
