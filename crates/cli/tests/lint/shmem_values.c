/* Every family of OpenSHMEM. The race at the end is only there if all values are those of the standard. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong;
#define EXPECT(what) do { if (!(what)) { wrong = 1; printf("%d: line %d: %s\n", shmem_my_pe(), __LINE__, #what); } } while (0)

static long counter = 5;
static double cells[16];
static int source_s[16], dest_s[64];
static long psync[SHMEM_ALLTOALL_SYNC_SIZE + 64];
static long work[64];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
    for (int i = 0; i < SHMEM_ALLTOALL_SYNC_SIZE + 64; i++)
        psync[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();

    /* p, g, put, get, iput, iget */
    shmem_double_p(&cells[0], 1.5 + me, right);
    shmem_barrier_all();
    EXPECT(cells[0] == 1.5 + left);
    EXPECT(shmem_double_g(&cells[0], right) == 1.5 + me);
    double some[4] = {me, me + 0.25, me + 0.5, me + 0.75}, got[8] = {0};
    shmem_double_put(&cells[4], some, 4, right);
    shmem_barrier_all();
    EXPECT(cells[4] == left && cells[7] == left + 0.75);
    shmem_double_get(got, &cells[4], 4, right);
    EXPECT(got[1] == me + 0.25);
    shmem_double_iput(&cells[8], some, 2, 1, 4, right);
    shmem_barrier_all();
    EXPECT(cells[8] == left && cells[10] == left + 0.25 && cells[14] == left + 0.75 && cells[9] == 0);
    shmem_double_iget(got, &cells[8], 2, 2, 4, right);
    EXPECT(got[0] == me && got[2] == me + 0.25 && got[6] == me + 0.75);
    shmem_barrier_all();

    /* atomics */
    if (me == 0) {
        EXPECT(shmem_long_atomic_fetch_add(&counter, 7, 1) == 5);
        EXPECT(shmem_long_atomic_fetch(&counter, 1) == 12);
        EXPECT(shmem_long_atomic_swap(&counter, 3, 1) == 12);
        EXPECT(shmem_long_atomic_compare_swap(&counter, 4, 9, 1) == 3);
        EXPECT(shmem_long_atomic_compare_swap(&counter, 3, 9, 1) == 3);
        shmem_long_atomic_inc(&counter, 1);
        EXPECT(shmem_long_atomic_fetch_inc(&counter, 1) == 10);
        shmem_long_atomic_add(&counter, -1, 1);
        shmem_long_atomic_set(&counter, shmem_long_atomic_fetch(&counter, 1) * 2, 1);
        long later = 0;
        shmem_long_atomic_fetch_add_nbi(&later, &counter, 1, 1);
        shmem_quiet();
        EXPECT(later == 20);
    }
    shmem_barrier_all();
    EXPECT(counter == (me == 1 ? 21 : 5));
    uint32_t *bits = shmem_malloc(sizeof *bits);
    *bits = 6;
    shmem_barrier_all();
    if (me == 0) {
        EXPECT(shmem_uint32_atomic_fetch_xor(bits, 3, 1) == 6);
        shmem_uint32_atomic_or(bits, 8, 1);
        shmem_uint32_atomic_and(bits, 12, 1);
        EXPECT(shmem_uint32_atomic_fetch(bits, 1) == 12);
    }
    float *real = shmem_calloc(2, sizeof *real);
    if (me == 0) {
        shmem_float_atomic_set(real, 2.5f, 1);
        EXPECT(shmem_float_atomic_swap(real, 3.5f, 1) == 2.5f);
    }
    shmem_barrier_all();

    /* waits and signals */
    long *flags = shmem_calloc(4, sizeof *flags);
    uint64_t *signal = shmem_calloc(1, sizeof *signal);
    int *data = shmem_calloc(8, sizeof *data);
    if (me == 0) {
        int values[2] = {41, 42};
        shmem_int_put_signal(data, values, 2, signal, 1, SHMEM_SIGNAL_ADD, 1);
        shmem_int_put_signal_nbi(data + 2, values, 2, signal, 4, SHMEM_SIGNAL_ADD, 1);
        for (int i = 0; i < 3; i++)
            shmem_long_p(&flags[i], i + 1, 1);
        shmem_quiet();
    }
    if (me == 1) {
        EXPECT(shmem_signal_wait_until(signal, SHMEM_CMP_GE, 5) == 5);
        EXPECT(shmem_signal_fetch(signal) == 5);
        EXPECT(data[1] == 42 && data[2] == 41);
        int left_out[4] = {0, 1, 0, 1};
        shmem_long_wait_until_all(flags, 4, left_out, SHMEM_CMP_GT, 0);
        EXPECT(flags[0] == 1 && flags[2] == 3);
        size_t any = shmem_long_wait_until_any(flags, 4, NULL, SHMEM_CMP_EQ, 2);
        EXPECT(any == 1);
        size_t numbers[4];
        EXPECT(shmem_long_wait_until_some(flags, 4, numbers, NULL, SHMEM_CMP_LE, 2) == 3);
        EXPECT(numbers[0] == 0 && numbers[2] == 3);
        long wanted[3] = {1, 2, 3};
        shmem_long_wait_until_all_vector(flags, 3, NULL, SHMEM_CMP_EQ, wanted);
        EXPECT(shmem_long_test_any(flags, 3, NULL, SHMEM_CMP_EQ, 99) == SIZE_MAX);
        EXPECT(shmem_long_test(flags, SHMEM_CMP_NE, 1) == 0);
        EXPECT(shmem_long_test_all(flags, 3, NULL, SHMEM_CMP_LT, 4) == 1);
    }
    shmem_barrier_all();

    /* collective calls on active sets */
    for (int i = 0; i < 16; i++)
        source_s[i] = 100 * me + i;
    shmem_barrier_all();
    shmem_broadcast32(dest_s, source_s, 4, 1, 0, 0, n, psync);
    EXPECT(me == 1 ? dest_s[0] == 0 : dest_s[3] == 103);
    shmem_barrier_all();
    shmem_fcollect32(dest_s, source_s, 2, 0, 0, n, psync);
    EXPECT(dest_s[1] == 1 && dest_s[2] == 100 && dest_s[2 * n - 1] == 100 * (n - 1) + 1);
    shmem_barrier_all();
    shmem_collect32(dest_s, source_s, 1 + me, 0, 0, n, psync);
    EXPECT(dest_s[0] == 0 && dest_s[1] == 100 && dest_s[2] == 101);
    shmem_barrier_all();
    shmem_alltoall32(dest_s, source_s, 2, 0, 0, n, psync);
    EXPECT(dest_s[0] == 2 * me && dest_s[2] == 100 + 2 * me && dest_s[3] == 101 + 2 * me);
    shmem_barrier_all();
    shmem_alltoalls32(dest_s, source_s, 3, 2, 1, 0, 0, n, psync);
    EXPECT(dest_s[0] == 2 * me && dest_s[3] == 100 + 2 * me);
    shmem_barrier_all();
    shmem_int_sum_to_all(dest_s, source_s, 3, 0, 0, n, (int *)work, psync);
    EXPECT(dest_s[1] == 100 * (n * (n - 1) / 2) + n);
    shmem_barrier_all();
    shmem_int_max_to_all(dest_s, source_s, 3, 0, 0, n, (int *)work, psync);
    EXPECT(dest_s[2] == 100 * (n - 1) + 2);
    shmem_barrier_all();

#ifdef SHMEM_TEAM_WORLD
    /* teams */
    shmem_team_t even = SHMEM_TEAM_INVALID;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &even);
    EXPECT((even != SHMEM_TEAM_INVALID) == (me % 2 == 0));
    if (even != SHMEM_TEAM_INVALID) {
        EXPECT(shmem_team_n_pes(even) == (n + 1) / 2 && shmem_team_my_pe(even) == me / 2);
        EXPECT(shmem_team_translate_pe(even, shmem_team_my_pe(even), SHMEM_TEAM_WORLD) == me);
        shmem_int_sum_reduce(even, dest_s, source_s, 1);
        EXPECT(dest_s[0] == 100 * ((n + 1) / 2 - 1) * ((n + 1) / 2));
        shmem_team_sync(even);
        shmem_int_broadcast(even, dest_s, source_s, 2, 0);
        EXPECT(dest_s[1] == 1);
        shmem_team_destroy(even);
    }
    shmem_team_t row, column;
    shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row, NULL, 0, &column);
    EXPECT(shmem_team_my_pe(row) == me % 2 && shmem_team_my_pe(column) == me / 2);
    shmem_ctx_t ctx;
    EXPECT(shmem_team_create_ctx(row, 0, &ctx) == 0);
    if (shmem_team_my_pe(row) == shmem_team_n_pes(row) - 1)
        shmem_ctx_int_p(ctx, &dest_s[60], 77, 0);
    shmem_ctx_quiet(ctx);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    EXPECT(me % 2 == 1 || dest_s[60] == 77);
#endif

    /* memory */
    data = shmem_realloc(data, 100 * sizeof *data);
    EXPECT(me != 1 || data[1] == 42);
    shmem_int_p(&data[99], me, right);
    shmem_barrier_all();
    EXPECT(data[99] == left);
    int *near = shmem_ptr(data, right);
    if (near)
        EXPECT(near[99] == me);
    shmem_barrier_all();
    static long lock = 0;
    shmem_set_lock(&lock);
    int held = shmem_int_g(&data[50], 0);
    shmem_int_p(&data[50], held + 1, 0);
    shmem_clear_lock(&lock);
    shmem_barrier_all();
    EXPECT(me != 0 || data[50] == n);
    shmem_free(flags);
    char *text = shmem_malloc(64);
    char hello[] = "hello";
    shmem_putmem(text, hello, sizeof hello, right);
    shmem_barrier_all();
    EXPECT(strcmp(text, "hello") == 0);
    shmem_barrier_all();

    if (!wrong && me == 0)
        shmem_int_p(&data[0], 1, 1);
    if (me == 1)
        data[0] = 2;
    shmem_finalize();
    return wrong;
}
