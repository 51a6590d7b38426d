// robust: yes
// ranks: 3
// from: A put on the context of a team, and the team's synchronisation (OpenSHMEM 1.5 §9.4, §9.9)
// why: The put is complete before the process comes to the synchronisation.
#include <shmem.h>

static long data;

int main(void) {
    shmem_init();
    shmem_team_t ends = SHMEM_TEAM_INVALID;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, 2, NULL, 0, &ends);
    if (ends != SHMEM_TEAM_INVALID) {
        shmem_ctx_t ctx;
        shmem_team_create_ctx(ends, 0, &ctx);
        if (shmem_team_my_pe(ends) == 0) {
            long value = 4;
            // Number 1 of the team is process 2.
            shmem_ctx_long_put(ctx, &data, &value, 1, 1);
        }
        shmem_ctx_quiet(ctx);
        shmem_team_sync(ends);
        if (shmem_team_my_pe(ends) == 1) {
            volatile long got = data;
            (void)got;
        }
        shmem_ctx_destroy(ctx);
        shmem_team_destroy(ends);
    }
    shmem_finalize();
    return 0;
}
