/* {"RACE_KIND": "misuse", "RACE_PAIR": ["shmem_sync_all@14", "shmem_int_broadcast@16"], "NPROCS": 2, "NEEDS": "checked arguments", "TIME_LIMIT": 3, "RULE": "collective-mismatch", "DESCRIPTION": "one PE calls sync_all first, the other one a broadcast on the team of all"} */
/* OpenSHMEM 1.5, 9.9. */
#include <shmem.h>
#include <stdio.h>

static int all[8], part[8];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();

    if (me == 0)
        shmem_sync_all();
    else
        shmem_int_broadcast(SHMEM_TEAM_WORLD, all, part, 8, 0);
    if (me == 0)
        shmem_int_broadcast(SHMEM_TEAM_WORLD, all, part, 8, 0);
    else
        shmem_sync_all();
    shmem_barrier_all();

    printf("%d of %d has %d\n", me, n, all[0]);
    shmem_finalize();
    return 0;
}
