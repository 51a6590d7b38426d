/* OpenSHMEM 1.5 9.9.5 to 9: collectives of teams, every type, of all PEs and of a team of some. */
#include "conform.h"
#include <complex.h>

enum { N = 5, MOST = 16 };

static shmem_team_t team;
static int size, mine;

#define MOVES(NAME, TYPE)                                                                                             \
    static TYPE NAME##_from[MOST * N * 3], NAME##_to[MOST * N * 3];                                                   \
    static void clear_##NAME(void) {                                                                                  \
        for (int i = 0; i < MOST * N * 3; i++) {                                                                      \
            NAME##_from[i] = VALUE(TYPE, mine, i % 16);                                                               \
            NAME##_to[i] = 0;                                                                                         \
        }                                                                                                             \
        shmem_team_sync(team);                                                                                        \
    }                                                                                                                 \
    static void move_##NAME(void) {                                                                                   \
        for (int root = 0; root < size; root++) {                                                                     \
            clear_##NAME();                                                                                           \
            CHECK(shmem_##NAME##_broadcast(team, NAME##_to, NAME##_from, N, root) == 0);                              \
            for (int i = 0; i < N; i++)                                                                               \
                CHECK(NAME##_to[i] == VALUE(TYPE, root, i) && NAME##_to[N + i] == 0);                                 \
        }                                                                                                             \
        clear_##NAME();                                                                                               \
        CHECK(shmem_##NAME##_fcollect(team, NAME##_to, NAME##_from, N) == 0);                                         \
        for (int i = 0; i < size * N + N; i++)                                                                        \
            CHECK(NAME##_to[i] == (i < size * N ? VALUE(TYPE, i / N, i % N) : (TYPE)0));                              \
        clear_##NAME();                                                                                               \
        /* PE i gives i elements. */                                                                                  \
        CHECK(shmem_##NAME##_collect(team, NAME##_to, NAME##_from, (size_t)mine) == 0);                               \
        for (int pe = 0, at = 0; pe < size; pe++)                                                                     \
            for (int i = 0; i < pe; i++, at++)                                                                        \
                CHECK(NAME##_to[at] == VALUE(TYPE, pe, i));                                                           \
        CHECK(NAME##_to[size * (size - 1) / 2] == 0);                                                                 \
        clear_##NAME();                                                                                               \
        CHECK(shmem_##NAME##_alltoall(team, NAME##_to, NAME##_from, N) == 0);                                         \
        for (int i = 0; i < size * N; i++)                                                                            \
            CHECK(NAME##_to[i] == VALUE(TYPE, i / N, (mine * N + i % N) % 16));                                       \
        clear_##NAME();                                                                                               \
        CHECK(shmem_##NAME##_alltoalls(team, NAME##_to, NAME##_from, 3, 2, N) == 0);                                  \
        for (int i = 0; i < size * N * 3; i++)                                                                        \
            CHECK(NAME##_to[i]                                                                                        \
                  == (i % 3 ? (TYPE)0 : VALUE(TYPE, i / 3 / N, (mine * N + i / 3 % N) * 2 % 16)));                    \
        shmem_team_sync(team);                                                                                        \
    }
RMA24(MOVES)

static void move_mem(void) {
    static unsigned char from[MOST * 30], to[MOST * 30];
    for (int call = 0; call < 5; call++) {
        for (int i = 0; i < MOST * 30; i++) {
            from[i] = (unsigned char)(mine * 50 + i);
            to[i] = 0;
        }
        shmem_team_sync(team);
        switch (call) {
        case 0:
            CHECK(shmem_broadcastmem(team, to, from, 30, size - 1) == 0);
            for (int i = 0; i < 30; i++)
                CHECK(to[i] == (unsigned char)((size - 1) * 50 + i));
            break;
        case 1:
            CHECK(shmem_fcollectmem(team, to, from, 30) == 0);
            for (int i = 0; i < 30 * size; i++)
                CHECK(to[i] == (unsigned char)(i / 30 * 50 + i % 30));
            break;
        case 2:
            CHECK(shmem_collectmem(team, to, from, 7 + mine) == 0);
            for (int pe = 0, at = 0; pe < size; pe++)
                for (int i = 0; i < 7 + pe; i++, at++)
                    CHECK(to[at] == (unsigned char)(pe * 50 + i));
            break;
        case 3:
            CHECK(shmem_alltoallmem(team, to, from, 7) == 0);
            for (int i = 0; i < 7 * size; i++)
                CHECK(to[i] == (unsigned char)(i / 7 * 50 + mine * 7 + i % 7));
            break;
        default:
            CHECK(shmem_alltoallsmem(team, to, from, 2, 1, 7) == 0);
            for (int i = 0; i < 7 * size; i++)
                CHECK(to[2 * i] == (unsigned char)(i / 7 * 50 + mine * 7 + i % 7) && to[2 * i + 1] == 0);
        }
        shmem_team_sync(team);
    }
}

/* Element i of member m is m + i % 5 + 1; also in place, and of a count that is no multiple of the number of PEs. */
enum { COUNT = 23 };

#define REDUCE(NAME, TYPE, OP, FOLD)                                                                                  \
    for (int in_place = 0; in_place < 2; in_place++) {                                                                \
        static TYPE from[COUNT], to[COUNT];                                                                           \
        TYPE *dest = in_place ? from : to;                                                                            \
        for (int i = 0; i < COUNT; i++)                                                                               \
            from[i] = (TYPE)(mine + i % 5 + 1);                                                                       \
        shmem_team_sync(team);                                                                                        \
        CHECK(shmem_##NAME##_##OP##_reduce(team, dest, from, COUNT) == 0);                                            \
        for (int i = 0; i < COUNT; i++) {                                                                             \
            TYPE a = (TYPE)(i % 5 + 1);                                                                               \
            for (int pe = 1; pe < size; pe++) {                                                                       \
                TYPE b = (TYPE)(pe + i % 5 + 1);                                                                      \
                a = (TYPE)(FOLD);                                                                                     \
            }                                                                                                         \
            CHECK(dest[i] == a);                                                                                      \
        }                                                                                                             \
        shmem_team_sync(team);                                                                                        \
    }
#define BITWISE(NAME, TYPE) REDUCE(NAME, TYPE, and, a & b) REDUCE(NAME, TYPE, or, a | b) REDUCE(NAME, TYPE, xor, a ^ b)
#define ORDERED(NAME, TYPE) REDUCE(NAME, TYPE, min, a < b ? a : b) REDUCE(NAME, TYPE, max, a > b ? a : b)
#define NUMBERS(NAME, TYPE) REDUCE(NAME, TYPE, sum, a + b) REDUCE(NAME, TYPE, prod, a * b)

static void all(void) {
    size = shmem_team_n_pes(team);
    mine = shmem_team_my_pe(team);
#define CALL(NAME, TYPE) move_##NAME();
    RMA24(CALL)
    move_mem();
    BITS14(BITWISE)
    RMA24(ORDERED)
    RMA24(NUMBERS)
    NUMBERS(complexd, double complex)
    NUMBERS(complexf, float complex)
}

int main(void) {
    begin();
    team = SHMEM_TEAM_WORLD;
    all();
    /* Of all but the first PE, backwards. */
    if (n > 2) {
        CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n - 1, NULL, 0, &team) == 0);
        if (team != SHMEM_TEAM_INVALID)
            all();
    }
    CHECK(shmem_int_broadcast(SHMEM_TEAM_INVALID, NULL, NULL, 0, 0) != 0);
    /* A large reduction. */
    shmem_barrier_all();
    long count = 200001;
    double *from = shmem_malloc(count * sizeof(double)), *to = shmem_malloc(count * sizeof(double));
    for (long i = 0; i < count; i++)
        from[i] = (double)(i + me);
    CHECK(shmem_double_sum_reduce(SHMEM_TEAM_WORLD, to, from, (size_t)count) == 0);
    for (long i = 0; i < count; i++)
        CHECK(to[i] == (double)(n * i + n * (n - 1) / 2));
    return end();
}
