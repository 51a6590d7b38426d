/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@18", "shmem_put@18"], "NPROCS": 3, "DESCRIPTION": "a lock of compare_swap that is released without a quiet"} */
/* OpenSHMEM 1.5, 9.7. */
#include <shmem.h>
#include <stdio.h>
#include <stdint.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long v[4] = {10, 11, 12, 13}, seen = 0;
    long *x = shmem_calloc(4, sizeof(long)), *f = shmem_calloc(4, sizeof(long));

    shmem_barrier_all();
    if (me < 2) {
        while (shmem_long_atomic_compare_swap(f, 0, 1, 2) != 0)
            ;
        shmem_long_p(x, me, 2);
        shmem_long_atomic_set(f, 0, 2);
    }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
