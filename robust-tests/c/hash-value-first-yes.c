// robust: yes
// from: The same with a quiet; data-structures/hash-value-first-quiet-yes.pgas
// why: The value is complete before the key is inserted.
#include <shmem.h>

#define BUCKETS 2

static int keys[BUCKETS], values[BUCKETS];

// Writes the value first, into a slot that this process alone fills.
static void insert(int slot, int key, int value, int owner) {
    shmem_int_p(&values[slot], value, owner);
    shmem_quiet();
    shmem_int_atomic_compare_swap(&keys[slot], 0, key, owner);
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    if (me < n - 1) {
        insert(me % BUCKETS, me + 1, 1, n - 1);
    } else {
        for (int slot = 0; slot < BUCKETS; slot++)
            if (shmem_int_atomic_fetch(&keys[slot], me) != 0 && values[slot] == 0)
                shmem_global_exit(1);
    }
    shmem_finalize();
    return 0;
}
