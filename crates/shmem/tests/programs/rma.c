/* OpenSHMEM 1.5 9.6: every put and get of every type, on static data and on the heap, with and without a context. */
#include "conform.h"

enum { N = 8, WIDE = 4 * N };

static shmem_ctx_t ctx;

#define FORMS(NAME, TYPE)                                                                                             \
    static TYPE NAME##_there[WIDE], NAME##_own[WIDE];                                                                 \
    static void check_##NAME(void) {                                                                                  \
        TYPE local[WIDE], *heap = shmem_malloc(WIDE * sizeof(TYPE));                                                  \
        for (int form = 0; form < 2; form++) {                                                                        \
            for (int i = 0; i < WIDE; i++) {                                                                          \
                local[i] = VALUE(TYPE, me, i % 16);                                                                   \
                NAME##_own[i] = VALUE(TYPE, me, i % 16);                                                              \
                NAME##_there[i] = heap[i] = 0;                                                                        \
            }                                                                                                         \
            shmem_barrier_all();                                                                                      \
            /* 0 to 7 by put, 8 by p, 16 to 23 by put_nbi, the last untouched; the heap in steps. */                  \
            if (form) {                                                                                               \
                shmem_ctx_##NAME##_put(ctx, NAME##_there, local, N, next);                                            \
                shmem_ctx_##NAME##_p(ctx, NAME##_there + N, local[N], next);                                          \
                shmem_ctx_##NAME##_put_nbi(ctx, NAME##_there + 2 * N, local + 2 * N, N, next);                        \
                shmem_ctx_##NAME##_iput(ctx, heap, local, 3, 2, N, next);                                             \
                shmem_ctx_quiet(ctx);                                                                                 \
            } else {                                                                                                  \
                shmem_##NAME##_put(NAME##_there, local, N, next);                                                     \
                shmem_##NAME##_p(NAME##_there + N, local[N], next);                                                   \
                shmem_##NAME##_put_nbi(NAME##_there + 2 * N, local + 2 * N, N, next);                                 \
                shmem_##NAME##_iput(heap, local, 3, 2, N, next);                                                      \
                shmem_##NAME##_put(NAME##_there, NULL, 0, next);                                                      \
                shmem_quiet();                                                                                        \
            }                                                                                                         \
            shmem_barrier_all();                                                                                      \
            for (int i = 0; i < WIDE; i++) {                                                                          \
                int put = i < N + 1 || (i >= 2 * N && i < 3 * N);                                                     \
                CHECK(NAME##_there[i] == (put ? VALUE(TYPE, prev, i % 16) : (TYPE)0));                                \
                int stepped = i % 3 == 0 && i / 3 < N;                                                                \
                CHECK(heap[i] == (stepped ? VALUE(TYPE, prev, i / 3 * 2) : (TYPE)0));                                 \
            }                                                                                                         \
            TYPE got[WIDE] = {0}, later[N] = {0}, apart[WIDE] = {0}, one = 0;                                         \
            if (form) {                                                                                               \
                shmem_ctx_##NAME##_get(ctx, got, NAME##_own, N, next);                                                \
                shmem_ctx_##NAME##_get_nbi(ctx, later, NAME##_own + N, N, next);                                      \
                one = shmem_ctx_##NAME##_g(ctx, NAME##_own + 5, next);                                                \
                shmem_ctx_##NAME##_iget(ctx, apart, NAME##_own, 2, 3, N / 2, next);                                   \
                shmem_ctx_quiet(ctx);                                                                                 \
            } else {                                                                                                  \
                shmem_##NAME##_get(got, NAME##_own, N, next);                                                         \
                shmem_##NAME##_get_nbi(later, NAME##_own + N, N, next);                                               \
                one = shmem_##NAME##_g(NAME##_own + 5, next);                                                         \
                shmem_##NAME##_iget(apart, NAME##_own, 2, 3, N / 2, next);                                            \
                shmem_quiet();                                                                                        \
            }                                                                                                         \
            CHECK(one == VALUE(TYPE, next, 5));                                                                       \
            for (int i = 0; i < N; i++) {                                                                             \
                CHECK(got[i] == VALUE(TYPE, next, i) && got[N + i] == 0);                                             \
                CHECK(later[i] == VALUE(TYPE, next, N + i));                                                          \
                CHECK(apart[i] == (i % 2 == 0 ? VALUE(TYPE, next, i / 2 * 3) : (TYPE)0));                             \
            }                                                                                                         \
            shmem_barrier_all();                                                                                      \
        }                                                                                                             \
        shmem_free(heap);                                                                                             \
    }
RMA24(FORMS)

/* Sized forms move elements of so many bits. */
static unsigned char there[512], own[512];

static void fill(unsigned char *bytes, int pe) {
    for (int i = 0; i < 512; i++)
        bytes[i] = (unsigned char)(pe * 100 + i);
}

#define SIZED(SIZE, BYTES, PUTS, GETS)                                                                                \
    static void check_##SIZE(void) {                                                                                  \
        unsigned char local[512], got[512];                                                                           \
        for (int form = 0; form < 4; form++) {                                                                        \
            fill(local, me);                                                                                          \
            fill(own, me);                                                                                            \
            memset(there, 0, sizeof there);                                                                           \
            memset(got, 0, sizeof got);                                                                               \
            shmem_barrier_all();                                                                                      \
            switch (form) {                                                                                           \
            case 0: shmem_put##SIZE(there, local, N, next); shmem_get##SIZE(got, own, N, next); break;                \
            case 1: shmem_put##SIZE##_nbi(there, local, N, next); shmem_get##SIZE##_nbi(got, own, N, next); break;    \
            case 2: shmem_ctx_put##SIZE(ctx, there, local, N, next); shmem_ctx_get##SIZE(ctx, got, own, N, next);     \
                break;                                                                                                \
            default: shmem_ctx_put##SIZE##_nbi(ctx, there, local, N, next);                                           \
                shmem_ctx_get##SIZE##_nbi(ctx, got, own, N, next);                                                    \
            }                                                                                                         \
            shmem_quiet();                                                                                            \
            shmem_ctx_quiet(ctx);                                                                                     \
            shmem_barrier_all();                                                                                      \
            for (int i = 0; i < 512; i++) {                                                                           \
                CHECK(there[i] == (i < N * BYTES ? (unsigned char)(prev * 100 + i) : 0));                             \
                CHECK(got[i] == (i < N * BYTES ? (unsigned char)(next * 100 + i) : 0));                               \
            }                                                                                                         \
            shmem_barrier_all();                                                                                      \
        }                                                                                                             \
        for (int form = 0; form < 2; form++) {                                                                        \
            memset(there, 0, sizeof there);                                                                           \
            memset(got, 0, sizeof got);                                                                               \
            shmem_barrier_all();                                                                                      \
            if (form) {                                                                                               \
                PUTS(SIZE, (ctx, there, local, 2, 3, N, next), ctx_)                                                  \
                GETS(SIZE, (ctx, got, own, 3, 2, N, next), ctx_)                                                      \
            } else {                                                                                                  \
                PUTS(SIZE, (there, local, 2, 3, N, next), )                                                           \
                GETS(SIZE, (got, own, 3, 2, N, next), )                                                               \
            }                                                                                                         \
            shmem_ctx_quiet(ctx);                                                                                     \
            shmem_barrier_all();                                                                                      \
            for (int i = 0; STRIDED(SIZE) && i < 512; i++) {                                                          \
                int at = i / BYTES, byte = i % BYTES;                                                                 \
                int put = at % 2 == 0 && at / 2 < N, has = at % 3 == 0 && at / 3 < N;                                 \
                CHECK(there[i] == (put ? (unsigned char)(prev * 100 + at / 2 * 3 * BYTES + byte) : 0));               \
                CHECK(got[i] == (has ? (unsigned char)(next * 100 + at / 3 * 2 * BYTES + byte) : 0));                 \
            }                                                                                                         \
            shmem_barrier_all();                                                                                      \
        }                                                                                                             \
    }
#define IPUT(SIZE, ARGUMENTS, CTX) shmem_##CTX##iput##SIZE ARGUMENTS;
#define IGET(SIZE, ARGUMENTS, CTX) shmem_##CTX##iget##SIZE ARGUMENTS;
#define NONE(SIZE, ARGUMENTS, CTX)
#define STRIDED(SIZE) (sizeof #SIZE != sizeof "mem")
SIZED(8, 1, IPUT, IGET)
SIZED(16, 2, IPUT, IGET)
SIZED(32, 4, IPUT, IGET)
SIZED(64, 8, IPUT, IGET)
SIZED(128, 16, IPUT, IGET)
#undef STRIDED
#define STRIDED(SIZE) 0
SIZED(mem, 1, NONE, NONE)

int main(void) {
    begin();
    CHECK(shmem_ctx_create(0, &ctx) == 0);
#define CALL(NAME, TYPE) check_##NAME();
    RMA24(CALL)
    check_8();
    check_16();
    check_32();
    check_64();
    check_128();
    check_mem();
    /* Larger than any buffer of a transport on the way. */
    long count = 300000, *large = shmem_malloc(count * sizeof(long)), *mine = malloc(count * sizeof(long));
    for (long i = 0; i < count; i++)
        mine[i] = me * count + i;
    shmem_long_put(large, mine, count, next);
    memset(mine, 0, count * sizeof(long));
    shmem_barrier_all();
    for (long i = 0; i < count; i++)
        CHECK(large[i] == prev * count + i);
    shmem_long_get(mine, large, count, next);
    CHECK(mine[0] == me * count && mine[count - 1] == me * count + count - 1);
    free(mine);
    shmem_free(large);
    shmem_ctx_destroy(ctx);
    return end();
}
