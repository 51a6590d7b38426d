/* C11 generics of OpenSHMEM 1.5: the header picks the function by type, with a context or a team in front or not. */
#include "conform.h"
#include <complex.h>

static long double wide[4];
static char letters[8];
static uint64_t word, signal_word;
static int counts[4];
static size_t sizes[2];
static double complex numbers[2], total[2];
static ptrdiff_t lock_free;

int main(void) {
    begin();
    shmem_ctx_t ctx;
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    long double values[2] = {me + 1.5L, 2};
    shmem_put(wide, values, 2, next);
    shmem_put(ctx, wide + 2, values, 2, next);
    shmem_p(letters, (char)('a' + me), next);
    shmem_p(ctx, &letters[1], 'z', next);
    shmem_iput(ctx, &letters[2], "xyz", 2, 1, 3, next);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    CHECK(wide[0] == prev + 1.5L && wide[2] == prev + 1.5L && letters[0] == 'a' + prev && letters[1] == 'z');
    CHECK(letters[2] == 'x' && letters[4] == 'y' && letters[6] == 'z' && letters[3] == 0);
    const long double *source = wide;
    CHECK(shmem_g(source, me) == wide[0] && shmem_g(ctx, &wide[1], me) == 2);
    shmem_get(values, source, 2, me);
    shmem_get_nbi(ctx, values, wide, 2, me);
    shmem_put_nbi(wide, values, 1, me);
    shmem_quiet();
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    shmem_atomic_add(&word, 5u, next);
    shmem_atomic_inc(ctx, &word, next);
    shmem_atomic_or(&word, 64ul, next);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    CHECK(shmem_atomic_fetch(&word, me) == 70 && shmem_atomic_fetch_add(ctx, &word, 1, me) == 70);
    CHECK(shmem_atomic_compare_swap(&lock_free, 0, 3, me) == 0 && lock_free == 3);
    size_t found = 0;
    shmem_atomic_fetch_add_nbi(&found, &sizes[0], 9, me);
    shmem_quiet();
    CHECK(found == 0 && sizes[0] == 9);
    double *real = shmem_calloc(1, sizeof *real);
    shmem_atomic_set(real, 2.5, me);
    CHECK(shmem_atomic_swap(real, 1.5, me) == 2.5);
    int first[2] = {me, 1}, second[2] = {me, 2};
    shmem_put_signal(counts, first, 2, &signal_word, 1, SHMEM_SIGNAL_ADD, next);
    shmem_put_signal(ctx, counts + 2, second, 2, &signal_word, 1, SHMEM_SIGNAL_ADD, next);
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 2);
    CHECK(counts[0] == prev && counts[3] == 2);
    shmem_wait_until(&counts[1], SHMEM_CMP_EQ, 1);
    CHECK(shmem_test(&counts[1], SHMEM_CMP_EQ, 1) && shmem_test_all(&counts[1], 1, NULL, SHMEM_CMP_GT, 0));
    shmem_sync(SHMEM_TEAM_WORLD);
    static long from, to[16], sync[SHMEM_SYNC_SIZE];
    from = me;
    CHECK(shmem_fcollect(SHMEM_TEAM_WORLD, to, &from, 1) == 0 && to[n - 1] == n - 1);
    CHECK(shmem_broadcast(SHMEM_TEAM_WORLD, to, &from, 1, 0) == 0 && to[0] == 0);
    numbers[0] = 1 + me * I;
    CHECK(shmem_sum_reduce(SHMEM_TEAM_WORLD, total, numbers, 1) == 0 && creal(total[0]) == n);
    CHECK(shmem_max_reduce(SHMEM_TEAM_WORLD, to, &from, 1) == 0 && to[0] == n - 1);
    shmem_sync(0, 0, n, sync);
    shmem_ctx_destroy(ctx);
    return end();
}
