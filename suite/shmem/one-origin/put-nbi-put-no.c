/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a fence orders a put_nbi, too"} */
/* OpenSHMEM 1.5, 9.11.1. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    unsigned long v[4] = {10, 11, 12, 13}, u[4] = {20, 21, 22, 23}, seen = 0;
    unsigned long *w = shmem_calloc(4, sizeof(long)), *d = shmem_calloc(4, sizeof(long));

    shmem_barrier_all();
    if (me == 0) {
        shmem_ulong_put_nbi(w, v, 2, 1);
        shmem_fence();
        shmem_ulong_put(w, u, 2, 1);
    }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
