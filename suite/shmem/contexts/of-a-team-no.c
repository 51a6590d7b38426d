/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "NEEDS": "OpenSHMEM 1.5", "DESCRIPTION": "number 1 on the context of the team is not PE 1"} */
/* OpenSHMEM 1.5, 9.5.2. */
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
    shmem_team_t pair = SHMEM_TEAM_INVALID;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, 2, NULL, 0, &pair);
    shmem_ctx_t c;
    if (pair != SHMEM_TEAM_INVALID && shmem_team_create_ctx(pair, 0, &c) != 0)
        shmem_global_exit(3);

    shmem_barrier_all();
    if (me == 0) {
        shmem_ctx_int_put(c, x, v, 4, 1);
    }
    if (me == 1)
        seen = x[1];
    if (pair != SHMEM_TEAM_INVALID)
        shmem_ctx_destroy(c);
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
