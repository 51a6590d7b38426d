/* {"RACE_KIND": "misuse", "RACE_PAIR": ["shmem_broadcast32@20", "shmem_broadcast32@22"], "NPROCS": 2, "NEEDS": "checked arguments", "TIME_LIMIT": 3, "RULE": "collective-mismatch", "DESCRIPTION": "PEs name different roots"} */
/* OpenSHMEM 1.5, 9.9.6. */
#include <shmem.h>
#include <stdio.h>

static long psync[SHMEM_COLLECT_SYNC_SIZE > SHMEM_REDUCE_SYNC_SIZE ? SHMEM_COLLECT_SYNC_SIZE : SHMEM_REDUCE_SYNC_SIZE];
static int work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 8];
static int all[32], part[8];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, seen = 0;
    for (int i = 0; i < (int)(sizeof psync / sizeof psync[0]); i++)
        psync[i] = SHMEM_SYNC_VALUE;

    shmem_barrier_all();
    if (me == 0)
        shmem_broadcast32(all, part, 4, 0, 0, 0, n, psync);
    else {
        shmem_broadcast32(all, part, 4, 1, 0, 0, n, psync);
        shmem_fence();
    }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
