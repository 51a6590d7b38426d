/* {"RACE_KIND": "misuse", "RACE_PAIR": ["shmem_int_broadcast@16", "shmem_team_destroy@15"], "NPROCS": 2, "NEEDS": "checked arguments", "TIME_LIMIT": 3, "RULE": "invalid-argument", "DESCRIPTION": "a broadcast on a team that was destroyed"} */
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

    shmem_team_destroy(both);
    shmem_int_broadcast(both, all, part, 8, 0);
    shmem_barrier_all();

    printf("%d of %d has %d\n", me, n, all[0]);
    shmem_finalize();
    return 0;
}
