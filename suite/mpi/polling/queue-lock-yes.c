/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@72", "MPI_Get@69"], "FURTHER_PAIRS": [["MPI_Put@72", "MPI_Put@72"]], "NPROCS": 2, "DESCRIPTION": "a queue lock is passed on before the put under it is flushed", "RULE": "remote-race"} */
/* Whoever takes the lock next may get the counter before the put has arrived (MPI-4.1 12.5.4, 12.7). */
#include <mpi.h>
#include <stdio.h>

/* The queue lock of Mellor-Crummey and Scott. Cells of each rank: NEXT and BLOCKED; of rank 0 also TAIL. Ranks count from 1, 0 is nobody. */
enum { NEXT, BLOCKED, TAIL };

static int exchange(int value, int rank, int cell, MPI_Win win)
{
    int before;
    MPI_Fetch_and_op(&value, &before, MPI_INT, rank, cell, MPI_REPLACE, win);
    MPI_Win_flush(rank, win);
    return before;
}

static int read_cell(int rank, int cell, MPI_Win win)
{
    int value;
    MPI_Fetch_and_op(NULL, &value, MPI_INT, rank, cell, MPI_NO_OP, win);
    MPI_Win_flush(rank, win);
    return value;
}

static void acquire(int me, MPI_Win win)
{
    exchange(0, me, NEXT, win);
    exchange(1, me, BLOCKED, win);
    int last = exchange(me + 1, 0, TAIL, win);
    if (last != 0) {
        exchange(me + 1, last - 1, NEXT, win);
        while (read_cell(me, BLOCKED, win) == 1)
            ;
    }
}

static void release(int me, MPI_Win win)
{
    if (read_cell(me, NEXT, win) == 0) {
        int nobody = 0, mine = me + 1, found;
        MPI_Compare_and_swap(&nobody, &mine, &found, MPI_INT, 0, TAIL, win);
        MPI_Win_flush(0, win);
        if (found == mine)
            return;
        while (read_cell(me, NEXT, win) == 0)
            ;
    }
    exchange(0, read_cell(me, NEXT, win) - 1, BLOCKED, win);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int count = 0;
    int *x, *counter;
    MPI_Win win, data; // flushes of the lock's window do not complete operations on the data
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &data);
    for (int i = 0; i < 8; i++)
        x[i] = 0;
    *counter = 0;

    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, data);
    MPI_Barrier(MPI_COMM_WORLD);
    acquire(rank, win);
    MPI_Get(&count, 1, MPI_INT, 0, 0, 1, MPI_INT, data);
    MPI_Win_flush(0, data);
    count++;
    MPI_Put(&count, 1, MPI_INT, 0, 0, 1, MPI_INT, data);
    release(rank, win);
    MPI_Win_unlock_all(data);
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", count);

    MPI_Win_free(&data);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
