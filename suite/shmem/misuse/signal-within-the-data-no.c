/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "NEEDS": "OpenSHMEM 1.5", "DESCRIPTION": "a signal after the data"} */
/* OpenSHMEM 1.5, 9.8.1. */
#include <shmem.h>
#include <stdio.h>
#include <stdint.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, seen = 0;
    int *x = shmem_malloc(8 * sizeof(int));
    for (int i = 0; i < 8; i++)
        x[i] = me;
    unsigned long u[4] = {1, 2, 3, 4}, *w = shmem_calloc(8, sizeof(long));

    shmem_barrier_all();
    if (me == 0)
        shmem_ulong_put_signal(w, u, 4, (uint64_t *)w + 4, 1, SHMEM_SIGNAL_SET, 1);
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
