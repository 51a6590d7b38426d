/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a reduction may have its result where its operand is"} */
/* OpenSHMEM 1.5, 9.9.9. */
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

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
    shmem_int_sum_to_all(all, all, 4, 0, 0, n, work, psync);
    seen = all[0];
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
