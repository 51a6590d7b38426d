/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "all have returned before the destination of another is read"} */
/* OpenSHMEM 1.5, 9.9. */
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
    shmem_broadcast32(all, part, 4, 0, 0, 0, n, psync);
    shmem_sync_all();
    if (me == 0)
        shmem_int_get(v, all, 1, 1);
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
