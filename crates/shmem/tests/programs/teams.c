/* OpenSHMEM 1.5 9.4, 9.5.2: teams, their numbers and contexts. */
#include "conform.h"

int main(void) {
    begin();
    CHECK(shmem_team_my_pe(SHMEM_TEAM_WORLD) == me && shmem_team_n_pes(SHMEM_TEAM_WORLD) == n);
    CHECK(shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1 && shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1);
    int near = shmem_team_n_pes(SHMEM_TEAM_SHARED);
    CHECK(near >= 1 && near <= n);
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_SHARED, shmem_team_my_pe(SHMEM_TEAM_SHARED), SHMEM_TEAM_WORLD) == me);
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, n, SHMEM_TEAM_WORLD) == -1);
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, SHMEM_TEAM_WORLD) == -1);
    static long word, source, sum, words[16];

    /* Even PEs, with a configuration. */
    shmem_team_t even = SHMEM_TEAM_WORLD;
    shmem_team_config_t config = {.num_contexts = 3}, read = {0};
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, &config, SHMEM_TEAM_NUM_CONTEXTS, &even) == 0);
    CHECK((even == SHMEM_TEAM_INVALID) == (me % 2 == 1));
    if (even != SHMEM_TEAM_INVALID) {
        CHECK(shmem_team_my_pe(even) == me / 2 && shmem_team_n_pes(even) == (n + 1) / 2);
        CHECK(shmem_team_translate_pe(even, me / 2, SHMEM_TEAM_WORLD) == me);
        CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 1, even) == -1 || n == 1);
        CHECK(shmem_team_get_config(even, SHMEM_TEAM_NUM_CONTEXTS, &read) == 0 && read.num_contexts == 3);
        CHECK(shmem_team_get_config(even, 0, NULL) == 0);
        CHECK(shmem_team_sync(even) == 0);
        /* A context of the team: its numbers are those of the team. */
        shmem_ctx_t ctx;
        CHECK(shmem_team_create_ctx(even, 0, &ctx) == 0);
        shmem_team_t of = SHMEM_TEAM_INVALID;
        CHECK(shmem_ctx_get_team(ctx, &of) == 0 && of == even);
        int count = shmem_team_n_pes(even), mine = shmem_team_my_pe(even);
        shmem_ctx_long_p(ctx, &word, mine + 50, (mine + 1) % count);
        shmem_ctx_quiet(ctx);
        shmem_team_sync(even);
        CHECK(word == (mine + count - 1) % count + 50);
        source = mine + 1;
        CHECK(shmem_long_sum_reduce(even, &sum, &source, 1) == 0 && sum == (long)count * (count + 1) / 2);
        shmem_team_destroy(even);
    }
    CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, 0, NULL) != 0);

    /* Backwards, and what cannot be. */
    shmem_team_t back, none = SHMEM_TEAM_WORLD;
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &back) == 0);
    CHECK(shmem_team_my_pe(back) == n - 1 - me);
    CHECK(shmem_team_translate_pe(back, 0, SHMEM_TEAM_WORLD) == n - 1);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n + 1, NULL, 0, &none) != 0 && none == SHMEM_TEAM_INVALID);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &none) != 0 && none == SHMEM_TEAM_INVALID);
    CHECK(shmem_team_sync(SHMEM_TEAM_INVALID) != 0);
    long mine[1] = {me};
    static long from[1], all[16];
    from[0] = mine[0];
    CHECK(shmem_long_fcollect(back, all, from, 1) == 0);
    for (int i = 0; i < n; i++)
        CHECK(all[i] == n - 1 - i);
    /* A team of a team. */
    shmem_team_t half;
    CHECK(shmem_team_split_strided(back, 0, 1, (n + 1) / 2, NULL, 0, &half) == 0);
    if (half != SHMEM_TEAM_INVALID) {
        CHECK(shmem_team_translate_pe(half, 0, SHMEM_TEAM_WORLD) == n - 1);
        source = me;
        CHECK(shmem_long_broadcast(half, words, &source, 1, 0) == 0 && words[0] == n - 1);
        shmem_team_destroy(half);
    }
    shmem_team_destroy(back);

    /* Rows and columns of two. */
    shmem_team_t row, column;
    CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row, NULL, 0, &column) == 0);
    int width = n < 2 ? n : 2;
    CHECK(shmem_team_my_pe(row) == me % width && shmem_team_my_pe(column) == me / width);
    CHECK(shmem_team_translate_pe(row, 0, SHMEM_TEAM_WORLD) == me / width * width);
    CHECK(shmem_team_translate_pe(column, 0, SHMEM_TEAM_WORLD) == me % width);
    source = me;
    CHECK(shmem_long_max_reduce(column, &sum, &source, 1) == 0 && sum >= me && sum % width == me % width);
    shmem_team_destroy(row);
    shmem_team_destroy(column);

    /* More in a row than there can be at once: blocks are given again. */
    for (int i = 0; i < 100; i++) {
        shmem_team_t team;
        CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, i % n, 1, n - i % n, NULL, 0, &team) == 0);
        if (team != SHMEM_TEAM_INVALID) {
            source = 1;
            CHECK(shmem_long_sum_reduce(team, &sum, &source, 1) == 0 && sum == n - i % n);
            shmem_team_destroy(team);
        }
    }
    /* More at once than there can be: all PEs are told, and those that were made work. */
    shmem_team_t many[70];
    int made = 0;
    for (int i = 0; i < 70; i++) {
        int code = shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &many[i]);
        CHECK((code == 0) == (many[i] != SHMEM_TEAM_INVALID));
        made += code == 0;
    }
    CHECK(made == 62);
    for (int i = made - 1; i >= 0; i--) {
        CHECK(shmem_team_sync(many[i]) == 0);
        shmem_team_destroy(many[i]);
    }
    shmem_team_destroy(SHMEM_TEAM_INVALID);
    return end();
}
