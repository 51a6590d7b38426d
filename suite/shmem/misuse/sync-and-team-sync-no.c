/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "NEEDS": "OpenSHMEM 1.5", "DESCRIPTION": "a sync of all meets the sync of the team of all, which is the same call"} */
/* OpenSHMEM 1.5, 9.9.3. */
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
        shmem_team_sync(SHMEM_TEAM_WORLD);
    shmem_int_broadcast(SHMEM_TEAM_WORLD, all, part, 8, 0);
    shmem_barrier_all();

    printf("%d of %d has %d\n", me, n, all[0]);
    shmem_finalize();
    return 0;
}
