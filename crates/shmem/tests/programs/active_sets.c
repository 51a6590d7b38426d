/* OpenSHMEM 1.5 9.9, active sets (deprecated): those of 1.4, of all PEs and of every second one. */
#include "conform.h"
#include <complex.h>

enum { N = 6, MOST = 16, WORK = N / 2 + 1 > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? N / 2 + 1 : SHMEM_REDUCE_MIN_WRKDATA_SIZE };

static long barrier_sync[SHMEM_BARRIER_SYNC_SIZE], sync_sync[SHMEM_BARRIER_SYNC_SIZE];
static long broadcast_sync[2][SHMEM_BCAST_SYNC_SIZE], collect_sync[2][SHMEM_COLLECT_SYNC_SIZE];
static long alltoall_sync[2][SHMEM_ALLTOALL_SYNC_SIZE], alltoalls_sync[2][SHMEM_ALLTOALLS_SYNC_SIZE];
static long reduce_sync[2][SHMEM_REDUCE_SYNC_SIZE];
static int stride, size, mine, turn;

static void fill(long *words, size_t bytes) {
    for (size_t i = 0; i < bytes / sizeof(long); i++)
        words[i] = SHMEM_SYNC_VALUE;
}

static int is_filled(long *words, size_t bytes) {
    for (size_t i = 0; i < bytes / sizeof(long); i++)
        if (words[i] != SHMEM_SYNC_VALUE)
            return 0;
    return 1;
}

#define SET 0, stride, size
#define MEET() shmem_barrier(SET, barrier_sync)

#define MOVES(BITS, TYPE)                                                                                             \
    static TYPE from##BITS[MOST * N * 3], to##BITS[MOST * N * 3];                                                     \
    static void clear##BITS(void) {                                                                                   \
        for (int i = 0; i < MOST * N * 3; i++) {                                                                      \
            from##BITS[i] = (TYPE)(mine * 1000 + i);                                                                  \
            to##BITS[i] = 0;                                                                                          \
        }                                                                                                             \
        turn = !turn;                                                                                                 \
        MEET();                                                                                                       \
    }                                                                                                                 \
    static void move##BITS(void) {                                                                                    \
        for (int root = 0; root < size; root++) {                                                                     \
            clear##BITS();                                                                                            \
            shmem_broadcast##BITS(to##BITS, from##BITS, N, root, SET, broadcast_sync[turn]);                          \
            for (int i = 0; i < N; i++)                                                                               \
                CHECK(to##BITS[i] == (mine == root ? 0 : (TYPE)(root * 1000 + i)));                                   \
        }                                                                                                             \
        clear##BITS();                                                                                                \
        shmem_fcollect##BITS(to##BITS, from##BITS, N, SET, collect_sync[turn]);                                       \
        for (int i = 0; i < size * N; i++)                                                                            \
            CHECK(to##BITS[i] == (TYPE)(i / N * 1000 + i % N));                                                       \
        clear##BITS();                                                                                                \
        shmem_collect##BITS(to##BITS, from##BITS, (size_t)mine + 1, SET, collect_sync[turn]);                         \
        for (int pe = 0, at = 0; pe < size; pe++)                                                                     \
            for (int i = 0; i <= pe; i++, at++)                                                                       \
                CHECK(to##BITS[at] == (TYPE)(pe * 1000 + i));                                                         \
        clear##BITS();                                                                                                \
        shmem_alltoall##BITS(to##BITS, from##BITS, N, SET, alltoall_sync[turn]);                                      \
        for (int i = 0; i < size * N; i++)                                                                            \
            CHECK(to##BITS[i] == (TYPE)(i / N * 1000 + mine * N + i % N));                                            \
        clear##BITS();                                                                                                \
        shmem_alltoalls##BITS(to##BITS, from##BITS, 2, 3, N, SET, alltoalls_sync[turn]);                              \
        for (int i = 0; i < size * N; i++)                                                                            \
            CHECK(to##BITS[2 * i] == (TYPE)(i / N * 1000 + (mine * N + i % N) * 3) && to##BITS[2 * i + 1] == 0);      \
        MEET();                                                                                                       \
    }
MOVES(32, int32_t)
MOVES(64, int64_t)

#define REDUCE(NAME, TYPE, OP, FOLD)                                                                                  \
    {                                                                                                                 \
        static TYPE from[N], to[N], work[WORK];                                                                       \
        for (int i = 0; i < N; i++)                                                                                   \
            from[i] = (TYPE)(mine + i + 1);                                                                           \
        turn = !turn;                                                                                                 \
        MEET();                                                                                                       \
        shmem_##NAME##_##OP##_to_all(to, from, N, SET, work, reduce_sync[turn]);                                      \
        for (int i = 0; i < N; i++) {                                                                                 \
            TYPE a = (TYPE)(i + 1);                                                                                   \
            for (int pe = 1; pe < size; pe++) {                                                                       \
                TYPE b = (TYPE)(pe + i + 1);                                                                          \
                a = (TYPE)(FOLD);                                                                                     \
            }                                                                                                         \
            CHECK(to[i] == a);                                                                                        \
        }                                                                                                             \
        MEET();                                                                                                       \
    }
#define BITWISE(NAME, TYPE) REDUCE(NAME, TYPE, and, a & b) REDUCE(NAME, TYPE, or, a | b) REDUCE(NAME, TYPE, xor, a ^ b)
#define ORDERED(NAME, TYPE) REDUCE(NAME, TYPE, min, a < b ? a : b) REDUCE(NAME, TYPE, max, a > b ? a : b)
#define NUMBERS(NAME, TYPE) REDUCE(NAME, TYPE, sum, a + b) REDUCE(NAME, TYPE, prod, a * b)
#define WHOLE(X) X(short, short) X(int, int) X(long, long) X(longlong, long long)
#define REAL(X) X(float, float) X(double, double) X(longdouble, long double)

static void all(void) {
    move32();
    move64();
    WHOLE(BITWISE)
    WHOLE(ORDERED)
    REAL(ORDERED)
    WHOLE(NUMBERS)
    REAL(NUMBERS)
    NUMBERS(complexd, double complex)
    NUMBERS(complexf, float complex)
    static long word;
    int after = (me + (1 << stride)) % (size << stride);
    for (int i = 1; i <= 20; i++) {
        shmem_long_p(&word, i, after);
        shmem_barrier(SET, barrier_sync);
        CHECK(word == i);
        (shmem_sync)(SET, sync_sync);
    }
}

int main(void) {
    begin();
#define FILL(ARRAY) fill((long *)ARRAY, sizeof ARRAY);
#define ARRAYS(X) X(barrier_sync) X(sync_sync) X(broadcast_sync) X(collect_sync) X(alltoall_sync) X(alltoalls_sync)   \
    X(reduce_sync)
    ARRAYS(FILL)
    shmem_barrier_all();
    stride = 0;
    size = n;
    mine = me;
    all();
    shmem_barrier_all();
    stride = 1;
    size = (n + 1) / 2;
    mine = me / 2;
    if (me % 2 == 0)
        all();
    shmem_barrier_all();
#define IS_FILLED(ARRAY) CHECK(is_filled((long *)ARRAY, sizeof ARRAY));
    ARRAYS(IS_FILLED)
    return end();
}
