/* Keys go into a table that is spread over all processes; a compare-and-swap takes an empty slot. */
#include <mpi.h>
#include <stdio.h>

enum { SLOTS = 8, KEYS = 3 };

int main(int argc, char **argv)
{
    int rank, size;
    long *table, empty = 0, seen;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(SLOTS * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &table, &win);
    for (int i = 0; i < SLOTS; i++)
        table[i] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);

    for (int i = 0; i < KEYS; i++) {
        long key = 1 + rank * KEYS + i;
        int owner = key % size;
        for (int slot = key % SLOTS;; slot = (slot + 1) % SLOTS) {
#ifndef FORGET
            MPI_Compare_and_swap(&key, &empty, &seen, MPI_LONG, owner, slot, win);
            MPI_Win_flush(owner, win);
#else
            MPI_Get(&seen, 1, MPI_LONG, owner, slot, 1, MPI_LONG, win);
            MPI_Win_flush(owner, win);
            if (seen == 0)
                MPI_Put(&key, 1, MPI_LONG, owner, slot, 1, MPI_LONG, win);
            MPI_Win_flush(owner, win);
#endif
            if (seen == 0)
                break;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    int filled = 0;
    for (int i = 0; i < SLOTS; i++)
        filled += table[i] != 0;
    printf("%d: %d\n", rank, filled);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
