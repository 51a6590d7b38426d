// robust: yes
// from: A put, and a sum over all processes
// why: The put is complete before its origin gives to the sum.
#include <shmem.h>

static int cell, part, total;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    part = me;
    shmem_int_put_nbi(&cell, &part, 1, (me + 1) % n);
    shmem_quiet();
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &total, &part, 1);
    volatile int got = cell;
    (void)got;
    shmem_finalize();
    return 0;
}
