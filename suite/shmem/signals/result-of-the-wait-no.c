/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "NEEDS": "OpenSHMEM 1.5", "DESCRIPTION": "PE 1 reads as many slots as the wait has returned"} */
/* OpenSHMEM 1.5, 9.12.6: the wait returns the contents of the signal. */
#include <shmem.h>
#include <stdio.h>
#include <stdint.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    unsigned long v[4] = {10, 11, 12, 13}, seen = 0;
    unsigned long *x = shmem_calloc(4, sizeof(long));
    uint64_t *sig = shmem_calloc(2, sizeof(uint64_t));

    shmem_barrier_all();
    if (me == 0) {
        shmem_ulong_put_signal(x, v, 1, sig, 1, SHMEM_SIGNAL_SET, 1);
        shmem_fence();
        shmem_ulong_put_signal(x + 1, v + 1, 1, sig, 2, SHMEM_SIGNAL_SET, 1);
    }
    if (me == 1) {
        uint64_t there = shmem_signal_wait_until(sig, SHMEM_CMP_GE, 1);
        seen = x[0];
        if (there == 2)
            seen += x[1];
    }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
