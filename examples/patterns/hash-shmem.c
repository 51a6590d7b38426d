/* Keys go into a table that is spread over all processes; a compare-and-swap takes an empty slot. */
#include <shmem.h>
#include <stdio.h>

enum { SLOTS = 8, KEYS = 3 };

static long table[SLOTS];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();

    for (int i = 0; i < KEYS; i++) {
        long key = 1 + me * KEYS + i, seen;
        int owner = key % n;
        for (int slot = key % SLOTS;; slot = (slot + 1) % SLOTS) {
#ifndef FORGET
            seen = shmem_long_atomic_compare_swap(&table[slot], 0, key, owner);
#else
            seen = shmem_long_g(&table[slot], owner);
            if (seen == 0)
                shmem_long_p(&table[slot], key, owner);
#endif
            if (seen == 0)
                break;
        }
    }
    shmem_barrier_all();
    int filled = 0;
    for (int i = 0; i < SLOTS; i++)
        filled += table[i] != 0;
    printf("%d: %d\n", me, filled);
    shmem_finalize();
    return 0;
}
