/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "NEEDS": "OpenSHMEM 1.5", "DESCRIPTION": "a broadcast on a team that is destroyed after it"} */
/* OpenSHMEM 1.5, 9.4.8. */
#include <shmem.h>
#include <stdio.h>

static int all[8], part[8];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_team_t both = SHMEM_TEAM_INVALID;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &both);

    shmem_int_broadcast(both, all, part, 8, 0);
    shmem_team_destroy(both);
    shmem_barrier_all();

    printf("%d of %d has %d\n", me, n, all[0]);
    shmem_finalize();
    return 0;
}
