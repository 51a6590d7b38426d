/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@18", "LOAD@23"], "NPROCS": 4, "NEEDS": "OpenSHMEM 1.5", "DESCRIPTION": "the rows of a grid do not order its columns"} */
/* OpenSHMEM 1.5, 9.4.7. */
#include <shmem.h>
#include <stdio.h>

static int all[32], part[8];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, seen = 0;
    shmem_team_t row, column;
    shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row, NULL, 0, &column);

    shmem_barrier_all();
    if (me == 0) {
        shmem_int_put(all, v, 4, 2);
        shmem_quiet();
    }
    shmem_team_sync(row);
    if (me == 2)
        seen = all[1];
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
