// robust: yes
// from: Insertion into a hash table by compare-and-swap; data-structures/hash-value-last-yes.pgas
// why: A reader may find a key without its value, but so it may under sequential consistency: the key is
//   inserted first.
#include <shmem.h>

#define BUCKETS 2

struct entry {
    int key;
    int value;
};

// The table is at the last process. A key is never 0.
static struct entry table[BUCKETS];

static int insert(int key, int value, int owner) {
    for (int i = 0; i < BUCKETS; i++) {
        int slot = (key + i) % BUCKETS;
        int old = shmem_int_atomic_compare_swap(&table[slot].key, 0, key, owner);
        if (old == 0 || old == key) {
            shmem_int_p(&table[slot].value, value, owner);
            return slot;
        }
    }
    return -1;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    if (me < n - 1) {
        insert(1 + me, 1, n - 1);
    } else {
        int key = shmem_int_atomic_fetch(&table[1].key, me);
        if (key != 0 && table[1].value == 0)
            shmem_global_exit(1);
    }
    shmem_finalize();
    return 0;
}
