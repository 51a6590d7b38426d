/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@18", "LOAD@24"], "NPROCS": 3, "NEEDS": "OpenSHMEM 1.5", "DESCRIPTION": "number 1 of the team is the root: it knows nothing of the other"} */
/* OpenSHMEM 1.5, 9.9.6. */
#include <shmem.h>
#include <stdio.h>

static int all[32], part[8];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, seen = 0;
    shmem_team_t pair = SHMEM_TEAM_INVALID;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, 2, NULL, 0, &pair);

    shmem_barrier_all();
    if (me == 0) {
        shmem_int_put(all + 16, v, 4, 2);
        shmem_quiet();
    }
    if (pair != SHMEM_TEAM_INVALID)
        shmem_int_broadcast(pair, all, part, 4, 1);
    if (me == 2)
        seen = all[17];
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
