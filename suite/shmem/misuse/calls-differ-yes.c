/* {"RACE_KIND": "misuse", "RACE_PAIR": ["shmem_barrier_all@16", "shmem_sync_all@18"], "NPROCS": 2, "NEEDS": "checked arguments", "TIME_LIMIT": 3, "RULE": "collective-mismatch", "DESCRIPTION": "one PE calls barrier_all where another one calls sync_all"} */
/* OpenSHMEM 1.5, 9.9. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, seen = 0;
    int *x = shmem_malloc(8 * sizeof(int));
    for (int i = 0; i < 8; i++)
        x[i] = me;

    if (me == 0)
        shmem_barrier_all();
    else
        shmem_sync_all();
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
