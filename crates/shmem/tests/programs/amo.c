/* OpenSHMEM 1.5 9.7: every atomic operation of every type: what it makes of a word, what it fetches, and that all PEs
 * at once lose nothing. */
#include "conform.h"

static shmem_ctx_t ctx;

/* One PE at a time on the words of the next one: results are exact. */
#define EXTENDED(NAME, TYPE)                                                                                          \
    static TYPE NAME##_x;                                                                                             \
    static void extended_##NAME(void) {                                                                               \
        NAME##_x = VALUE(TYPE, me, 0);                                                                                \
        shmem_barrier_all();                                                                                          \
        CHECK(shmem_##NAME##_atomic_fetch(&NAME##_x, next) == VALUE(TYPE, next, 0));                                  \
        CHECK(shmem_ctx_##NAME##_atomic_fetch(ctx, &NAME##_x, next) == VALUE(TYPE, next, 0));                         \
        shmem_##NAME##_atomic_set(&NAME##_x, (TYPE)3, next);                                                          \
        CHECK(shmem_##NAME##_atomic_swap(&NAME##_x, (TYPE)4, next) == 3);                                             \
        CHECK(shmem_ctx_##NAME##_atomic_swap(ctx, &NAME##_x, (TYPE)5, next) == 4);                                    \
        shmem_ctx_##NAME##_atomic_set(ctx, &NAME##_x, (TYPE)6, next);                                                 \
        shmem_ctx_quiet(ctx);                                                                                         \
        shmem_barrier_all();                                                                                          \
        CHECK(NAME##_x == 6);                                                                                         \
        shmem_barrier_all();                                                                                          \
        EXTENDED_NBI(NAME, TYPE)                                                                                      \
        shmem_barrier_all();                                                                                          \
    }
#if HAS_1_5
#define EXTENDED_NBI(NAME, TYPE)                                                                                      \
    TYPE a = 0, b = 0, c = 0, d = 0;                                                                                  \
    shmem_##NAME##_atomic_fetch_nbi(&a, &NAME##_x, next);                                                             \
    shmem_ctx_##NAME##_atomic_fetch_nbi(ctx, &b, &NAME##_x, next);                                                    \
    shmem_quiet();                                                                                                    \
    shmem_ctx_quiet(ctx);                                                                                             \
    CHECK(a == 6 && b == 6);                                                                                          \
    shmem_##NAME##_atomic_swap_nbi(&c, &NAME##_x, (TYPE)7, next);                                                     \
    shmem_quiet();                                                                                                    \
    shmem_ctx_##NAME##_atomic_swap_nbi(ctx, &d, &NAME##_x, (TYPE)8, next);                                            \
    shmem_ctx_quiet(ctx);                                                                                             \
    CHECK(c == 6 && d == 7);                                                                                          \
    shmem_barrier_all();                                                                                              \
    CHECK(NAME##_x == 8);
#else
#define EXTENDED_NBI(NAME, TYPE)
#endif
XAMO14(EXTENDED)

#define STANDARD(NAME, TYPE)                                                                                          \
    static TYPE NAME##_s, NAME##_count, NAME##_sum;                                                                   \
    static void standard_##NAME(void) {                                                                               \
        NAME##_s = 10;                                                                                                \
        NAME##_count = NAME##_sum = 0;                                                                                \
        shmem_barrier_all();                                                                                          \
        if (HAS_1_5 || sizeof(TYPE) == 8) {                                                                           \
            CHECK(shmem_##NAME##_atomic_compare_swap(&NAME##_s, (TYPE)9, (TYPE)1, next) == 10);                       \
            CHECK(shmem_##NAME##_atomic_compare_swap(&NAME##_s, (TYPE)10, (TYPE)20, next) == 10);                     \
            CHECK(shmem_ctx_##NAME##_atomic_compare_swap(ctx, &NAME##_s, (TYPE)20, (TYPE)30, next) == 20);            \
        } else { /* Open MPI 4.1.4 breaks its stack in a compare-and-swap of 4 bytes. */                              \
            shmem_##NAME##_atomic_set(&NAME##_s, (TYPE)30, next);                                                     \
        }                                                                                                             \
        CHECK(shmem_##NAME##_atomic_fetch_inc(&NAME##_s, next) == 30);                                                \
        CHECK(shmem_ctx_##NAME##_atomic_fetch_inc(ctx, &NAME##_s, next) == 31);                                       \
        CHECK(shmem_##NAME##_atomic_fetch_add(&NAME##_s, (TYPE)8, next) == 32);                                       \
        CHECK(shmem_ctx_##NAME##_atomic_fetch_add(ctx, &NAME##_s, (TYPE)10, next) == 40);                             \
        shmem_##NAME##_atomic_inc(&NAME##_s, next);                                                                   \
        shmem_ctx_##NAME##_atomic_inc(ctx, &NAME##_s, next);                                                          \
        shmem_##NAME##_atomic_add(&NAME##_s, (TYPE)3, next);                                                          \
        shmem_ctx_##NAME##_atomic_add(ctx, &NAME##_s, (TYPE)5, next);                                                 \
        shmem_ctx_quiet(ctx);                                                                                         \
        shmem_barrier_all();                                                                                          \
        CHECK(NAME##_s == 60);                                                                                        \
        shmem_barrier_all();                                                                                          \
        STANDARD_NBI(NAME, TYPE)                                                                                      \
        /* All at once on PE 0: each number from 0 on is fetched once. */                                             \
        TYPE mine = 0;                                                                                                \
        for (int i = 0; i < 50; i++)                                                                                  \
            mine += shmem_##NAME##_atomic_fetch_inc(&NAME##_count, 0);                                                \
        shmem_##NAME##_atomic_add(&NAME##_sum, mine, 0);                                                              \
        shmem_barrier_all();                                                                                          \
        if (me == 0)                                                                                                  \
            CHECK(NAME##_count == (TYPE)(50 * n) && NAME##_sum == (TYPE)(50 * n * (50 * n - 1) / 2));                 \
        shmem_barrier_all();                                                                                          \
    }
#if HAS_1_5
#define STANDARD_NBI(NAME, TYPE)                                                                                      \
    TYPE r[6] = {0};                                                                                                  \
    shmem_##NAME##_atomic_fetch_inc_nbi(&r[0], &NAME##_s, next);                                                      \
    shmem_quiet();                                                                                                    \
    shmem_ctx_##NAME##_atomic_fetch_inc_nbi(ctx, &r[1], &NAME##_s, next);                                             \
    shmem_ctx_quiet(ctx);                                                                                             \
    shmem_##NAME##_atomic_fetch_add_nbi(&r[2], &NAME##_s, (TYPE)8, next);                                             \
    shmem_quiet();                                                                                                    \
    shmem_ctx_##NAME##_atomic_fetch_add_nbi(ctx, &r[3], &NAME##_s, (TYPE)10, next);                                   \
    shmem_ctx_quiet(ctx);                                                                                             \
    shmem_##NAME##_atomic_compare_swap_nbi(&r[4], &NAME##_s, (TYPE)80, (TYPE)90, next);                               \
    shmem_quiet();                                                                                                    \
    shmem_ctx_##NAME##_atomic_compare_swap_nbi(ctx, &r[5], &NAME##_s, (TYPE)1, (TYPE)2, next);                        \
    shmem_ctx_quiet(ctx);                                                                                             \
    CHECK(r[0] == 60 && r[1] == 61 && r[2] == 62 && r[3] == 70 && r[4] == 80 && r[5] == 90);                          \
    shmem_barrier_all();
#else
#define STANDARD_NBI(NAME, TYPE)
#endif
AMO12(STANDARD)

#define BITWISE(NAME, TYPE)                                                                                           \
    static TYPE NAME##_b, NAME##_o, NAME##_y;                                                                         \
    static void bitwise_##NAME(void) {                                                                                \
        NAME##_b = 0xff;                                                                                              \
        NAME##_o = 0;                                                                                                 \
        NAME##_y = 0;                                                                                                 \
        shmem_barrier_all();                                                                                          \
        CHECK(shmem_##NAME##_atomic_fetch_and(&NAME##_b, (TYPE)0x3f, next) == 0xff);                                  \
        CHECK(shmem_ctx_##NAME##_atomic_fetch_and(ctx, &NAME##_b, (TYPE)0x1f, next) == 0x3f);                         \
        CHECK(shmem_##NAME##_atomic_fetch_or(&NAME##_b, (TYPE)0x40, next) == 0x1f);                                   \
        CHECK(shmem_ctx_##NAME##_atomic_fetch_or(ctx, &NAME##_b, (TYPE)0x80, next) == 0x5f);                          \
        CHECK(shmem_##NAME##_atomic_fetch_xor(&NAME##_b, (TYPE)0xff, next) == 0xdf);                                  \
        CHECK(shmem_ctx_##NAME##_atomic_fetch_xor(ctx, &NAME##_b, (TYPE)0x01, next) == 0x20);                         \
        shmem_##NAME##_atomic_or(&NAME##_b, (TYPE)0x70, next);                                                        \
        shmem_quiet();                                                                                                \
        shmem_ctx_##NAME##_atomic_or(ctx, &NAME##_b, (TYPE)0x02, next);                                               \
        shmem_ctx_quiet(ctx);                                                                                         \
        shmem_##NAME##_atomic_and(&NAME##_b, (TYPE)0x33, next);                                                       \
        shmem_quiet();                                                                                                \
        shmem_ctx_##NAME##_atomic_and(ctx, &NAME##_b, (TYPE)0x31, next);                                              \
        shmem_ctx_quiet(ctx);                                                                                         \
        shmem_##NAME##_atomic_xor(&NAME##_b, (TYPE)0x11, next);                                                       \
        shmem_quiet();                                                                                                \
        shmem_ctx_##NAME##_atomic_xor(ctx, &NAME##_b, (TYPE)0x08, next);                                              \
        shmem_ctx_quiet(ctx);                                                                                         \
        shmem_##NAME##_atomic_or(&NAME##_o, (TYPE)1 << me, 0);                                                        \
        for (int i = 0; i < 3; i++)                                                                                   \
            shmem_##NAME##_atomic_xor(&NAME##_y, (TYPE)1 << me, 0);                                                   \
        shmem_barrier_all();                                                                                          \
        CHECK(NAME##_b == 0x28);                                                                                      \
        if (me == 0)                                                                                                  \
            CHECK(NAME##_o == (TYPE)((1 << n) - 1) && NAME##_y == NAME##_o);                                          \
        shmem_barrier_all();                                                                                          \
        BITWISE_NBI(NAME, TYPE)                                                                                       \
    }
#if HAS_1_5
#define BITWISE_NBI(NAME, TYPE)                                                                                       \
    TYPE r[6] = {0};                                                                                                  \
    shmem_##NAME##_atomic_fetch_or_nbi(&r[0], &NAME##_b, (TYPE)1, next);                                              \
    shmem_quiet();                                                                                                    \
    shmem_ctx_##NAME##_atomic_fetch_or_nbi(ctx, &r[1], &NAME##_b, (TYPE)2, next);                                     \
    shmem_ctx_quiet(ctx);                                                                                             \
    shmem_##NAME##_atomic_fetch_and_nbi(&r[2], &NAME##_b, (TYPE)0x0f, next);                                          \
    shmem_quiet();                                                                                                    \
    shmem_ctx_##NAME##_atomic_fetch_and_nbi(ctx, &r[3], &NAME##_b, (TYPE)0x0e, next);                                 \
    shmem_ctx_quiet(ctx);                                                                                             \
    shmem_##NAME##_atomic_fetch_xor_nbi(&r[4], &NAME##_b, (TYPE)0x0f, next);                                          \
    shmem_quiet();                                                                                                    \
    shmem_ctx_##NAME##_atomic_fetch_xor_nbi(ctx, &r[5], &NAME##_b, (TYPE)4, next);                                    \
    shmem_ctx_quiet(ctx);                                                                                             \
    CHECK(r[0] == 0x28 && r[1] == 0x29 && r[2] == 0x2b && r[3] == 0x0b && r[4] == 0x0a && r[5] == 0x05);              \
    shmem_barrier_all();                                                                                              \
    CHECK(NAME##_b == 1);                                                                                             \
    shmem_barrier_all();
#else
#define BITWISE_NBI(NAME, TYPE)
#endif
BAMO7(BITWISE)

/* Names of before 1.4. */
#define OLD(NAME, TYPE)                                                                                               \
    static TYPE NAME##_old;                                                                                           \
    static void old_##NAME(void) {                                                                                    \
        NAME##_old = 10;                                                                                              \
        shmem_barrier_all();                                                                                          \
        CHECK(shmem_##NAME##_fetch(&NAME##_old, next) == 10);                                                         \
        shmem_##NAME##_set(&NAME##_old, 20, next);                                                                    \
        CHECK(shmem_##NAME##_swap(&NAME##_old, 30, next) == 20);                                                      \
        OLD_WHOLE_##NAME                                                                                              \
        shmem_barrier_all();                                                                                          \
    }
#define OLD_WHOLE(NAME)                                                                                               \
    if (HAS_1_5 || sizeof NAME##_old == 8)                                                                            \
        CHECK(shmem_##NAME##_cswap(&NAME##_old, 30, 40, next) == 30);                                                 \
    else                                                                                                              \
        shmem_##NAME##_set(&NAME##_old, 40, next);                                                                    \
    CHECK(shmem_##NAME##_finc(&NAME##_old, next) == 40);                                                              \
    CHECK(shmem_##NAME##_fadd(&NAME##_old, 9, next) == 41);                                                           \
    shmem_##NAME##_inc(&NAME##_old, next);                                                                            \
    shmem_##NAME##_add(&NAME##_old, 4, next);                                                                         \
    shmem_barrier_all();                                                                                              \
    CHECK(NAME##_old == 55);
#define OLD_WHOLE_int OLD_WHOLE(int)
#define OLD_WHOLE_long OLD_WHOLE(long)
#define OLD_WHOLE_longlong OLD_WHOLE(longlong)
#define OLD_WHOLE_float
#define OLD_WHOLE_double
#define OLD5(X) X(int, int) X(long, long) X(longlong, long long) X(float, float) X(double, double)
OLD5(OLD)

#if HAS_1_5
/* Operations under way, each with an operand of its own: more than the library has places for. And a result that comes
   where the target is, which keeps what it has until then. */
static long many, in_place;
static void under_way(void) {
    enum { MANY = 200 };
    static long found[MANY];
    many = 0;
    in_place = 5;
    shmem_barrier_all();
    for (int i = 0; i < MANY; i++)
        shmem_long_atomic_fetch_add_nbi(&found[i], &many, i + 1, next);
    shmem_quiet();
    long most = 0;
    for (int i = 0; i < MANY; i++) {
        CHECK(found[i] >= 0 && found[i] < MANY * (MANY + 1) / 2);
        most = found[i] > most ? found[i] : most;
    }
    CHECK(most >= MANY * (MANY + 1) / 2 - MANY);
    shmem_long_atomic_fetch_add_nbi(&in_place, &in_place, 3, me);
    shmem_quiet();
    CHECK(in_place == 5);
    shmem_long_atomic_compare_swap_nbi(&in_place, &in_place, 5, 9, me);
    shmem_quiet();
    CHECK(in_place == 5);
    shmem_barrier_all();
    CHECK(many == MANY * (MANY + 1) / 2);
    shmem_barrier_all();
}
#endif

int main(void) {
    begin();
    CHECK(shmem_ctx_create(0, &ctx) == 0);
#if HAS_1_5
    under_way();
#endif
#define CALL_X(NAME, TYPE) extended_##NAME();
#define CALL_S(NAME, TYPE) standard_##NAME();
#define CALL_B(NAME, TYPE) bitwise_##NAME();
#define CALL_O(NAME, TYPE) old_##NAME();
    XAMO14(CALL_X)
    AMO12(CALL_S)
    BAMO7(CALL_B)
    OLD5(CALL_O)
    shmem_ctx_destroy(ctx);
    return end();
}
