/* OpenSHMEM 1.5 9.12: locks exclude one another, complete what was put, and are 0 when nobody has them. */
#include "conform.h"

enum { ROUNDS = 100 };

static long lock, other_lock, shared[2];

int main(void) {
    begin();
    long *heap_lock = shmem_calloc(1, sizeof(long));
    long *locks[3] = {&lock, &other_lock, heap_lock};
    for (int which = 0; which < 3; which++) {
        shared[0] = shared[1] = 0;
        shmem_barrier_all();
        for (int i = 0; i < ROUNDS; i++) {
            if (which == 1) {
                while (shmem_test_lock(locks[which]) != 0)
                    ;
            } else {
                shmem_set_lock(locks[which]);
            }
            /* Not atomic: only the lock makes it right. */
            long a = shmem_long_g(&shared[0], 0), b = shmem_long_g(&shared[1], 0);
            CHECK(a == b);
            shmem_long_p(&shared[0], a + 1, 0);
            shmem_long_p(&shared[1], b + 1, 0);
            shmem_clear_lock(locks[which]);
        }
        shmem_barrier_all();
        if (me == 0)
            CHECK(shared[0] == (long)n * ROUNDS && shared[1] == shared[0]);
        CHECK(*locks[which] == 0);
        shmem_barrier_all();
    }
    /* A lock that somebody has cannot be had by a test. */
    if (me == 0)
        shmem_set_lock(&lock);
    shmem_barrier_all();
    if (me == n - 1 && n > 1)
        CHECK(shmem_test_lock(&lock) == 1);
    shmem_barrier_all();
    if (me == 0)
        shmem_clear_lock(&lock);
    shmem_barrier_all();
    if (me == n - 1) {
        CHECK(shmem_test_lock(&lock) == 0);
        shmem_clear_lock(&lock);
    }
    shmem_free(heap_lock);
    return end();
}
