/* {"RACE_KIND": "local", "RACE_PAIR": ["shmem_atomic_compare_swap_nbi@17", "LOAD@19"], "NPROCS": 2, "NEEDS": "OpenSHMEM 1.5", "DESCRIPTION": "a fence does not bring what an atomic operation fetches"} */
/* OpenSHMEM 1.5, 9.7.2, 9.11. */
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    unsigned long v[4] = {10, 11, 12, 13}, seen = 0;
    unsigned long *w = shmem_calloc(4, sizeof(long)), *b = shmem_calloc(4, sizeof(long));
    unsigned long *e = shmem_calloc(4, sizeof(long));

    shmem_barrier_all();
    if (me == 0) {
        shmem_ulong_atomic_compare_swap_nbi(b, w, 0, 1, 1);
        shmem_fence();
        seen = b[0];
    }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
