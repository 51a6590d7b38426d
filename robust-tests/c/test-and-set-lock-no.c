// robust: no
// from: Test-and-set lock at process 0, without the quiet
// why: The release may overtake the put of the critical section.
#include <shmem.h>

static long taken;
static long count;

static void acquire(void) {
    while (shmem_long_atomic_compare_swap(&taken, 0, 1, 0) != 0)
        ;
}

static void release(void) {
    shmem_long_atomic_set(&taken, 0, 0);
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    (void)n;
    (void)me;
    acquire();
    long c = shmem_long_g(&count, 0);
    shmem_long_p(&count, c + 1, 0);
    release();
    shmem_finalize();
    return 0;
}
