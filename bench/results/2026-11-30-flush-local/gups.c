/* RandomAccess (GUPS) with accumulates in buckets, in the style of HPCC: -m log2 of words, -u updates, -b bucket */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>
#include <getopt.h>
#define POLY 0x0000000000000007ULL
#define PERIOD 1317624576693539401LL
#define MPI_CHECK(call) do { int e_ = (call); if (e_ != MPI_SUCCESS) { \
    char s_[MPI_MAX_ERROR_STRING]; int l_; MPI_Error_string(e_, s_, &l_); \
    fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, s_); \
    MPI_Abort(MPI_COMM_WORLD, 1); } } while (0)

typedef struct {
    int log2_local;
    int64_t local_size, global_size, updates;
    int bucket;
    int verify;
} params_t;

typedef struct { uint64_t *val; MPI_Aint *disp; int *target; int n, cap; } bucket_t;
typedef struct { double init, update, verify; } timers_t;

static int rank, nproc;

static uint64_t starts(int64_t n)
{
    int i, j;
    uint64_t m2[64], temp, ran;
    while (n < 0) n += PERIOD;
    while (n > PERIOD) n -= PERIOD;
    if (n == 0) return 0x1;
    temp = 0x1;
    for (i = 0; i < 64; i++) {
        m2[i] = temp;
        temp = (temp << 1) ^ ((int64_t) temp < 0 ? POLY : 0);
        temp = (temp << 1) ^ ((int64_t) temp < 0 ? POLY : 0);
    }
    for (i = 62; i >= 0; i--) if ((n >> i) & 1) break;
    ran = 0x2;
    while (i > 0) {
        temp = 0;
        for (j = 0; j < 64; j++) if ((ran >> j) & 1) temp ^= m2[j];
        ran = temp;
        i -= 1;
        if ((n >> i) & 1) ran = (ran << 1) ^ ((int64_t) ran < 0 ? POLY : 0);
    }
    return ran;
}

static void usage(const char *prog)
{
    if (rank == 0) fprintf(stderr, "usage: %s [-m log2size] [-b bucket] [-u updates per rank] [-n]\n", prog);
}

static int parse(int argc, char **argv, params_t *p)
{
    int c;
    p->log2_local = 8; p->bucket = 16; p->verify = 1; p->updates = 0;
    while ((c = getopt(argc, argv, "m:b:u:nh")) != -1) {
        switch (c) {
        case 'm': p->log2_local = atoi(optarg); break;
        case 'b': p->bucket = atoi(optarg); break;
        case 'u': p->updates = atoll(optarg); break;
        case 'n': p->verify = 0; break;
        default: usage(argv[0]); return -1;
        }
    }
    if (p->log2_local < 1 || p->log2_local > 28 || p->bucket < 1) { usage(argv[0]); return -1; }
    p->local_size = (int64_t) 1 << p->log2_local;
    p->global_size = p->local_size * nproc;
    if (p->updates == 0) p->updates = 4 * p->local_size;
    return 0;
}

static void bucket_init(bucket_t *b, int cap)
{
    b->cap = cap; b->n = 0;
    b->val = malloc(cap * sizeof *b->val);
    b->disp = malloc(cap * sizeof *b->disp);
    b->target = malloc(cap * sizeof *b->target);
    if (!b->val || !b->disp || !b->target) MPI_Abort(MPI_COMM_WORLD, 2);
}

static void bucket_free(bucket_t *b) { free(b->val); free(b->disp); free(b->target); }

static void bucket_flush(bucket_t *b, MPI_Win win)
{
    for (int i = 0; i < b->n; i++)
        MPI_CHECK(MPI_Accumulate(&b->val[i], 1, MPI_UINT64_T, b->target[i], b->disp[i], 1, MPI_UINT64_T,
                                 MPI_BXOR, win));
    MPI_CHECK(MPI_Win_flush_local_all(win));
    b->n = 0;
}

static void update_table(const params_t *p, MPI_Win win, bucket_t *b)
{
    uint64_t ran = starts(p->updates * rank);
    for (int64_t i = 0; i < p->updates; i++) {
        ran = (ran << 1) ^ ((int64_t) ran < 0 ? POLY : 0);
        uint64_t global = ran % (uint64_t) p->global_size;
        b->val[b->n] = ran;
        b->target[b->n] = (int) (global / p->local_size);
        b->disp[b->n] = (MPI_Aint) (global % p->local_size);
        if (++b->n == b->cap) bucket_flush(b, win);
    }
    bucket_flush(b, win);
    MPI_CHECK(MPI_Win_flush_all(win));
}

static int64_t count_errors(const params_t *p, const uint64_t *table)
{
    int64_t errors = 0;
    for (int64_t i = 0; i < p->local_size; i++)
        if (table[i] != (uint64_t) (i + rank * p->local_size)) errors++;
    return errors;
}

int main(int argc, char **argv)
{
    params_t p; timers_t t = {0}; bucket_t b; MPI_Win win; uint64_t *table; int *model, flag;
    MPI_Info info;
    MPI_CHECK(MPI_Init(&argc, &argv));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    MPI_CHECK(MPI_Comm_size(MPI_COMM_WORLD, &nproc));
    if (parse(argc, argv, &p)) { MPI_Finalize(); return 1; }

    t.init = MPI_Wtime();
    MPI_CHECK(MPI_Info_create(&info));
    MPI_CHECK(MPI_Info_set(info, "accumulate_ops", "same_op"));
    MPI_CHECK(MPI_Info_set(info, "accumulate_ordering", "none"));
    MPI_CHECK(MPI_Win_allocate(p.local_size * sizeof(uint64_t), sizeof(uint64_t), info, MPI_COMM_WORLD, &table, &win));
    MPI_CHECK(MPI_Info_free(&info));
    MPI_CHECK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    MPI_CHECK(MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &flag));
    if (flag && *model != MPI_WIN_UNIFIED && rank == 0) fprintf(stderr, "note: separate memory model\n");
    bucket_init(&b, p.bucket);
    MPI_CHECK(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
    for (int64_t i = 0; i < p.local_size; i++) table[i] = i + rank * p.local_size;
    MPI_CHECK(MPI_Win_sync(win));
    MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
    t.init = MPI_Wtime() - t.init;

    t.update = MPI_Wtime();
    update_table(&p, win, &b);
    MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
    t.update = MPI_Wtime() - t.update;

    int64_t errors = 0, all = 0;
    if (p.verify) {
        t.verify = MPI_Wtime();
        update_table(&p, win, &b);
        MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
        MPI_CHECK(MPI_Win_sync(win));
        errors = count_errors(&p, table);
        MPI_CHECK(MPI_Reduce(&errors, &all, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD));
        t.verify = MPI_Wtime() - t.verify;
    }
    MPI_CHECK(MPI_Win_unlock_all(win));
    if (rank == 0) {
        printf("table %" PRId64 " words, %" PRId64 " updates per rank, %.3f s, %.6f GUPS\n", p.global_size, p.updates,
               t.update, p.updates * nproc / t.update * 1e-9);
        if (p.verify) printf("verification: %" PRId64 " errors (%s)\n", all, all ? "FAILED" : "passed");
    }
    bucket_free(&b);
    MPI_CHECK(MPI_Win_free(&win));
    MPI_CHECK(MPI_Finalize());
    return all != 0;
}
