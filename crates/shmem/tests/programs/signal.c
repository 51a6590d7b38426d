/* OpenSHMEM 1.5 9.8: puts with a signal, of every type and form: who sees the signal sees the data. */
#include "conform.h"

enum { N = 40 };

static shmem_ctx_t ctx;
static uint64_t word;

#define SIGNALS(NAME, TYPE)                                                                                           \
    static TYPE NAME##_data[4][N];                                                                                    \
    static void check_##NAME(void) {                                                                                  \
        TYPE mine[N];                                                                                                 \
        for (int i = 0; i < N; i++) {                                                                                 \
            mine[i] = VALUE(TYPE, me, i % 16);                                                                        \
            for (int form = 0; form < 4; form++)                                                                      \
                NAME##_data[form][i] = 0;                                                                             \
        }                                                                                                             \
        word = 0;                                                                                                     \
        shmem_barrier_all();                                                                                          \
        for (int form = 0; form < 4; form++) {                                                                        \
            switch (form) {                                                                                           \
            case 0: shmem_##NAME##_put_signal(NAME##_data[0], mine, N, &word, 5, SHMEM_SIGNAL_SET, next); break;      \
            case 1: shmem_ctx_##NAME##_put_signal(ctx, NAME##_data[1], mine, N, &word, 2, SHMEM_SIGNAL_ADD, next);    \
                break;                                                                                                \
            case 2: shmem_##NAME##_put_signal_nbi(NAME##_data[2], mine, N, &word, 1, SHMEM_SIGNAL_ADD, next); break;  \
            default: shmem_ctx_##NAME##_put_signal_nbi(ctx, NAME##_data[3], mine, N, &word, 3, SHMEM_SIGNAL_ADD,      \
                                                       next);                                                         \
            }                                                                                                         \
            uint64_t expected = (uint64_t[]){5, 7, 8, 11}[form];                                                      \
            CHECK(shmem_signal_wait_until(&word, SHMEM_CMP_GE, expected) >= expected);                                \
            for (int i = 0; i < N; i++)                                                                               \
                CHECK(NAME##_data[form][i] == VALUE(TYPE, prev, i % 16));                                             \
            shmem_quiet();                                                                                            \
            shmem_ctx_quiet(ctx);                                                                                     \
        }                                                                                                             \
        shmem_barrier_all();                                                                                          \
        CHECK(shmem_signal_fetch(&word) == 11);                                                                       \
        shmem_barrier_all();                                                                                          \
    }
RMA24(SIGNALS)

static unsigned char bytes[4][512];

#define SIZED(SIZE, BYTES)                                                                                            \
    static void check_##SIZE(void) {                                                                                  \
        unsigned char mine[512];                                                                                      \
        memset(mine, me + 1, sizeof mine);                                                                            \
        memset(bytes, 0, sizeof bytes);                                                                               \
        word = 0;                                                                                                     \
        shmem_barrier_all();                                                                                          \
        shmem_put##SIZE##_signal(bytes[0], mine, 8, &word, 1, SHMEM_SIGNAL_ADD, next);                                \
        shmem_ctx_put##SIZE##_signal(ctx, bytes[1], mine, 8, &word, 1, SHMEM_SIGNAL_ADD, next);                       \
        shmem_put##SIZE##_signal_nbi(bytes[2], mine, 8, &word, 1, SHMEM_SIGNAL_ADD, next);                            \
        shmem_ctx_put##SIZE##_signal_nbi(ctx, bytes[3], mine, 8, &word, 1, SHMEM_SIGNAL_ADD, next);                   \
        CHECK(shmem_signal_wait_until(&word, SHMEM_CMP_EQ, 4) == 4);                                                  \
        for (int form = 0; form < 4; form++)                                                                          \
            for (int i = 0; i < 512; i++)                                                                             \
                CHECK(bytes[form][i] == (i < 8 * BYTES ? prev + 1 : 0));                                              \
        shmem_ctx_quiet(ctx);                                                                                         \
        shmem_barrier_all();                                                                                          \
    }
SIZED(8, 1) SIZED(16, 2) SIZED(32, 4) SIZED(64, 8) SIZED(128, 16) SIZED(mem, 1)

int main(void) {
    begin();
    CHECK(shmem_ctx_create(0, &ctx) == 0);
#define CALL(NAME, TYPE) check_##NAME();
    RMA24(CALL)
    check_8(); check_16(); check_32(); check_64(); check_128(); check_mem();
    /* Data that takes its time, and a signal that could overtake it. */
    enum { LARGE = 1 << 18 };
    long *large = shmem_calloc(LARGE, sizeof *large), *mine = malloc(LARGE * sizeof *mine);
    word = 0;
    shmem_barrier_all();
    for (uint64_t round = 1; round <= 6; round++) {
        for (long i = 0; i < LARGE; i++)
            mine[i] = (long)round * LARGE + i;
        if (round % 2)
            shmem_long_put_signal(large, mine, LARGE, &word, round, SHMEM_SIGNAL_SET, next);
        else
            shmem_ctx_long_put_signal_nbi(ctx, large, mine, LARGE, &word, round, SHMEM_SIGNAL_SET, next);
        shmem_signal_wait_until(&word, SHMEM_CMP_GE, round);
        for (long i = LARGE - 1; i > 0; i /= 2)
            CHECK(large[i] == (long)round * LARGE + i);
        shmem_ctx_quiet(ctx);
        shmem_barrier_all();
    }
    free(mine);
    shmem_free(large);
    shmem_ctx_destroy(ctx);
    return end();
}
