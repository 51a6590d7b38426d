// robust: no
// from: A put, and a sum over all processes
// why: All have given to the sum before any has it, but a collective call completes no put (OpenSHMEM 1.5 §9.9).
#include <shmem.h>

static int cell, part, total;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    part = me;
    shmem_int_put_nbi(&cell, &part, 1, (me + 1) % n);
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &total, &part, 1);
    volatile int got = cell;
    (void)got;
    shmem_finalize();
    return 0;
}
