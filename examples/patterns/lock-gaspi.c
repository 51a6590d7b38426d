/* All processes add to a counter of process 0 under a lock of one word. */
#include <GASPI.h>
#include <stdio.h>

enum { LOCK = 0, COUNTER = 8, MINE = 16 };

int main(void)
{
    gaspi_rank_t me;
    gaspi_pointer_t memory;
    gaspi_atomic_value_t old;

    gaspi_proc_init(GASPI_BLOCK);
    gaspi_proc_rank(&me);
    gaspi_segment_create(0, 24, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_segment_ptr(0, &memory);
    long *words = memory;

    do {
        gaspi_atomic_compare_swap(0, LOCK, 0, 0, 1 + me, &old, GASPI_BLOCK);
    } while (old != 0);
    gaspi_read(0, MINE, 0, 0, COUNTER, 8, 0, GASPI_BLOCK);
#ifndef FORGET
    gaspi_wait(0, GASPI_BLOCK);
#endif
    words[MINE / 8] += 1;
    gaspi_atomic_fetch_add(0, COUNTER, 0, 1, &old, GASPI_BLOCK);
    gaspi_wait(0, GASPI_BLOCK);
    gaspi_atomic_compare_swap(0, LOCK, 0, 1 + me, 0, &old, GASPI_BLOCK);

    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    if (me == 0)
        printf("%ld\n", words[COUNTER / 8]);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
