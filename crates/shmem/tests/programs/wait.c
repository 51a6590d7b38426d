/* OpenSHMEM 1.5 9.10: waits and tests of every type, with all comparisons, statuses and vectors. */
#include "conform.h"

enum { N = 6 };

#define WAITS(NAME, TYPE)                                                                                             \
    static TYPE NAME##_flag, NAME##_flags[N];                                                                         \
    static void scalar_##NAME(void) {                                                                                 \
        NAME##_flag = 5;                                                                                              \
        CHECK(shmem_##NAME##_test(&NAME##_flag, SHMEM_CMP_EQ, 5));                                                    \
        CHECK(!shmem_##NAME##_test(&NAME##_flag, SHMEM_CMP_EQ, 4));                                                   \
        CHECK(shmem_##NAME##_test(&NAME##_flag, SHMEM_CMP_NE, 4));                                                    \
        CHECK(!shmem_##NAME##_test(&NAME##_flag, SHMEM_CMP_NE, 5));                                                   \
        CHECK(shmem_##NAME##_test(&NAME##_flag, SHMEM_CMP_GT, 4));                                                    \
        CHECK(!shmem_##NAME##_test(&NAME##_flag, SHMEM_CMP_GT, 5));                                                   \
        CHECK(shmem_##NAME##_test(&NAME##_flag, SHMEM_CMP_GE, 5));                                                    \
        CHECK(!shmem_##NAME##_test(&NAME##_flag, SHMEM_CMP_GE, 6));                                                   \
        CHECK(shmem_##NAME##_test(&NAME##_flag, SHMEM_CMP_LT, 6));                                                    \
        CHECK(!shmem_##NAME##_test(&NAME##_flag, SHMEM_CMP_LT, 5));                                                   \
        CHECK(shmem_##NAME##_test(&NAME##_flag, SHMEM_CMP_LE, 5));                                                    \
        CHECK(!shmem_##NAME##_test(&NAME##_flag, SHMEM_CMP_LE, 4));                                                   \
        shmem_##NAME##_wait_until(&NAME##_flag, SHMEM_CMP_GE, 5);                                                     \
        NAME##_flag = 0;                                                                                              \
        shmem_barrier_all();                                                                                          \
        shmem_##NAME##_p(&NAME##_flag, (TYPE)(prev + 7), prev);                                                       \
        shmem_##NAME##_wait_until(&NAME##_flag, SHMEM_CMP_NE, 0);                                                     \
        CHECK(NAME##_flag == (TYPE)(me + 7));                                                                         \
        shmem_barrier_all();                                                                                          \
    }                                                                                                                 \
    MANY(NAME, TYPE)
#if HAS_1_5
/* Word i becomes i + 1; word 2 is left out and stays 0. */
#define MANY(NAME, TYPE)                                                                                              \
    static void many_##NAME(void) {                                                                                   \
        int status[N] = {0, 0, 1, 0, 0, 0}, none[N] = {1, 1, 1, 1, 1, 1}, seen[N] = {0};                              \
        TYPE values[N] = {1, 2, 3, 4, 5, 6};                                                                          \
        size_t indices[N];                                                                                            \
        for (int round = 0; round < 6; round++) {                                                                     \
            memset(NAME##_flags, 0, sizeof NAME##_flags);                                                             \
            memset(seen, 0, sizeof seen);                                                                             \
            shmem_barrier_all();                                                                                      \
            if (round == 0) {                                                                                         \
                CHECK(!shmem_##NAME##_test_all(NAME##_flags, N, NULL, SHMEM_CMP_NE, 0));                              \
                CHECK(shmem_##NAME##_test_any(NAME##_flags, N, NULL, SHMEM_CMP_NE, 0) == SIZE_MAX);                   \
                CHECK(shmem_##NAME##_test_some(NAME##_flags, N, indices, NULL, SHMEM_CMP_NE, 0) == 0);                \
                CHECK(!shmem_##NAME##_test_all_vector(NAME##_flags, N, NULL, SHMEM_CMP_EQ, values));                  \
                CHECK(shmem_##NAME##_test_any_vector(NAME##_flags, N, NULL, SHMEM_CMP_EQ, values) == SIZE_MAX);       \
                CHECK(shmem_##NAME##_test_some_vector(NAME##_flags, N, indices, NULL, SHMEM_CMP_EQ, values) == 0);    \
                CHECK(shmem_##NAME##_test_all(NAME##_flags, N, none, SHMEM_CMP_NE, 0));                               \
                CHECK(shmem_##NAME##_wait_until_any(NAME##_flags, N, none, SHMEM_CMP_NE, 0) == SIZE_MAX);             \
                CHECK(shmem_##NAME##_wait_until_some(NAME##_flags, N, indices, none, SHMEM_CMP_NE, 0) == 0);          \
                shmem_##NAME##_wait_until_all(NAME##_flags, N, none, SHMEM_CMP_NE, 0);                                \
                shmem_barrier_all();                                                                                  \
            }                                                                                                         \
            for (int i = 0; i < N; i++)                                                                               \
                if (i != 2)                                                                                           \
                    shmem_##NAME##_p(&NAME##_flags[i], (TYPE)(i + 1), next);                                          \
            int left = N - 1, skip[N];                                                                                \
            memcpy(skip, status, sizeof skip);                                                                        \
            switch (round) {                                                                                          \
            case 0:                                                                                                   \
                shmem_##NAME##_wait_until_all(NAME##_flags, N, status, SHMEM_CMP_NE, 0);                              \
                CHECK(shmem_##NAME##_test_all(NAME##_flags, N, status, SHMEM_CMP_NE, 0));                             \
                break;                                                                                                \
            case 1:                                                                                                   \
                shmem_##NAME##_wait_until_all_vector(NAME##_flags, N, status, SHMEM_CMP_EQ, values);                  \
                CHECK(shmem_##NAME##_test_all_vector(NAME##_flags, N, status, SHMEM_CMP_EQ, values));                 \
                break;                                                                                                \
            case 2: case 3:                                                                                           \
                while (left > 0) {                                                                                    \
                    size_t i = round == 2 ? shmem_##NAME##_wait_until_any(NAME##_flags, N, skip, SHMEM_CMP_GT, 0)     \
                        : shmem_##NAME##_wait_until_any_vector(NAME##_flags, N, skip, SHMEM_CMP_EQ, values);          \
                    CHECK(i < N && i != 2 && !seen[i]);                                                               \
                    seen[i] = skip[i] = 1;                                                                            \
                    left--;                                                                                           \
                }                                                                                                     \
                CHECK(shmem_##NAME##_test_any(NAME##_flags, N, status, SHMEM_CMP_GT, 0) != 2);                        \
                CHECK(shmem_##NAME##_test_any_vector(NAME##_flags, N, status, SHMEM_CMP_EQ, values) < N);             \
                break;                                                                                                \
            default:                                                                                                  \
                while (left > 0) {                                                                                    \
                    size_t some = round == 4                                                                          \
                        ? shmem_##NAME##_wait_until_some(NAME##_flags, N, indices, skip, SHMEM_CMP_GT, 0)             \
                        : shmem_##NAME##_wait_until_some_vector(NAME##_flags, N, indices, skip, SHMEM_CMP_EQ,          \
                                                                     values);                                         \
                    CHECK(some > 0 && some <= (size_t)left);                                                          \
                    for (size_t k = 0; k < some; k++) {                                                               \
                        CHECK(indices[k] != 2 && !seen[indices[k]]);                                                  \
                        seen[indices[k]] = skip[indices[k]] = 1;                                                      \
                    }                                                                                                 \
                    left -= (int)some;                                                                                \
                }                                                                                                     \
                CHECK(shmem_##NAME##_test_some(NAME##_flags, N, indices, status, SHMEM_CMP_GT, 0) == N - 1);          \
                CHECK(shmem_##NAME##_test_some_vector(NAME##_flags, N, indices, status, SHMEM_CMP_EQ, values)     \
                      == N - 1);                                                                                      \
            }                                                                                                         \
            shmem_barrier_all();                                                                                      \
            CHECK(NAME##_flags[2] == 0);                                                                              \
        }                                                                                                             \
    }
#else
#define MANY(NAME, TYPE) static void many_##NAME(void) {}
#endif
P2P14(WAITS)

#define OLD(NAME, TYPE)                                                                                               \
    static void old_##NAME(void) {                                                                                    \
        NAME##_flag = 0;                                                                                              \
        shmem_barrier_all();                                                                                          \
        shmem_##NAME##_p(&NAME##_flag, 9, next);                                                                      \
        shmem_##NAME##_wait(&NAME##_flag, 0);                                                                         \
        CHECK(NAME##_flag == 9);                                                                                      \
        shmem_barrier_all();                                                                                          \
    }
OLD(short, short) OLD(int, int) OLD(long, long) OLD(longlong, long long)

int main(void) {
    begin();
#define CALL(NAME, TYPE) scalar_##NAME(); many_##NAME();
    P2P14(CALL)
    old_short(); old_int(); old_long(); old_longlong();
    long_flag = 0;
    shmem_barrier_all();
    shmem_long_p(&long_flag, 1, next);
    shmem_wait(&long_flag, 0);
    CHECK(long_flag == 1);
    shmem_barrier_all();
    /* A store by shmem_ptr, and a fence, end a wait. */
    long_flag = 0;
    long *heap = shmem_calloc(1, sizeof *heap), *theirs = shmem_ptr(heap, next);
    shmem_barrier_all();
    if (theirs != NULL) {
        *(volatile long *)theirs = 3;
        shmem_fence();
    }
    if (shmem_ptr(heap, prev) != NULL)
        shmem_long_wait_until(heap, SHMEM_CMP_EQ, 3);
    shmem_free(heap);
    return end();
}
