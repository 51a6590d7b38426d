/* Keys go into a table that is spread over all processes; a compare-and-swap takes an empty slot. */
#include <GASPI.h>
#include <stdio.h>

enum { SLOTS = 8, KEYS = 3 };

int main(void)
{
    gaspi_rank_t me, n;
    gaspi_pointer_t memory;

    gaspi_proc_init(GASPI_BLOCK);
    gaspi_proc_rank(&me);
    gaspi_proc_num(&n);
    gaspi_segment_create(0, SLOTS * 8, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_segment_ptr(0, &memory);
    long *table = memory;

    for (int i = 0; i < KEYS; i++) {
        gaspi_atomic_value_t key = 1 + me * KEYS + i, seen = 1;
        gaspi_rank_t owner = key % n;
        for (int slot = key % SLOTS; seen != 0; slot = (slot + 1) % SLOTS)
            gaspi_atomic_compare_swap(0, slot * 8, owner, 0, key, &seen, GASPI_BLOCK);
    }
#ifndef FORGET
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
#endif
    int filled = 0;
    for (int i = 0; i < SLOTS; i++)
        filled += table[i] != 0;
    printf("%d: %d\n", me, filled);
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
