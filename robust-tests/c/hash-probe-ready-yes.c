// robust: yes
// why: Open addressing by compare-and-swap, with a flag after the value that who finds the key asks for.
#include <shmem.h>

enum { EMPTY, KEYS = 2 };
static int keys[KEYS], values[KEYS], ready[KEYS];

static void insert(int key, int value, int pe) {
    for (int probe = 0; probe < KEYS; probe++) {
        int at = (key + probe) % KEYS;
        int old = shmem_int_atomic_compare_swap(&keys[at], EMPTY, key, pe);
        if (old == EMPTY || old == key) {
            shmem_int_p(&values[at], value, pe);
            shmem_quiet();
            shmem_int_p(&ready[at], 1, pe);
            return;
        }
    }
}

static int find(int key, int pe) {
    for (int probe = 0; probe < KEYS; probe++) {
        int at = (key + probe) % KEYS;
        int found = shmem_int_g(&keys[at], pe);
        if (found == EMPTY)
            return 0;
        if (found == key)
            return shmem_int_g(&ready[at], pe) ? shmem_int_g(&values[at], pe) : 0;
    }
    return 0;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0)
        insert(1, 5, 1);
    else {
        insert(3, 6, 1);
        find(1, 1);
    }
    shmem_finalize();
    return 0;
}
