/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@29", "LOAD@25"], "NPROCS": 3, "NEEDS": "OpenSHMEM 1.5", "DESCRIPTION": "a word that the wait leaves out"} */
/* OpenSHMEM 1.5, 9.10. */
#include <shmem.h>
#include <stdio.h>
#include <stdint.h>
#include <unistd.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long v[4] = {10, 11, 12, 13}, seen = 0;
size_t which[4], count;
    long *x = shmem_calloc(4, sizeof(long)), *f = shmem_calloc(4, sizeof(long));

    shmem_barrier_all();
    if (me == 0) {
        shmem_long_p(&x[0], 7, 1);
        shmem_fence();
        shmem_long_atomic_set(&f[0], 1, 1);
    }
    if (me == 1) {
        int out[4] = {0, 1, 1, 1};
        shmem_long_wait_until_all(f, 4, out, SHMEM_CMP_EQ, 1);
        seen = x[2];
    }
    if (me == 2) {
        usleep(100000);
        shmem_long_p(&x[2], 7, 1);
        shmem_fence();
        shmem_long_atomic_set(&f[2], 1, 1);
    }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
