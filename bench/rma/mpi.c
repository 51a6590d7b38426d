/* What one-sided calls of an MPI cost between two ranks: the rows of `farside-bench rma`, in C, as a user would
 * write them.
 *
 * Usage: mpi SAMPLES [allocate|create]. Prints a line a row: its name, then nanoseconds an operation of each sample.
 * A sample is a batch of operations, timed as a whole. Rank 0 measures; rank 1 is the target and waits in a barrier,
 * but in collective rows. With more than two ranks there are collective rows only, in which each puts to the next
 * one. Every row checks what it wrote. Ends with `verified`, or with status 1. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LARGE (1 << 20)

static int rank, samples;
static unsigned char *memory, *buffer;
static MPI_Win win;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static void fail(const char *what)
{
    fprintf(stderr, "mpi: %s: wrong result\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* What rank 0 wrote last is at rank 1. */
static void check(const char *row, int bytes)
{
    int good = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        for (int i = 0; i < bytes; i++)
            good &= memory[i] == (unsigned char)(i * 7 + 3);
        MPI_Win_unlock(1, win);
        memset(memory, 0, bytes);
    }
    MPI_Bcast(&good, 1, MPI_INT, 1, MPI_COMM_WORLD);
    if (!good)
        fail(row);
}

/* Runs a row: `both` says that rank 1 runs it as well. A tenth of the samples, and 5 at least, warm up. */
static void row(const char *name, int batch, int both, void (*once)(void))
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s", name);
    if (rank == 0 || both) {
        int warm = samples / 10 + 5;
        for (int s = -warm; s < samples; s++) {
            double from = now();
            for (int i = 0; i < batch; i++)
                once();
            double each = (now() - from) / batch;
            if (s >= 0 && rank == 0)
                printf(" %.2f", each);
        }
    }
    if (rank == 0)
        printf("\n");
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
}

static int size;
static int64_t one = 1, old, compare;

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void fence(void) { MPI_Win_fence(0, win); }
static void fence_put(void)
{
    if (rank == 0)
        MPI_Put(buffer, size, MPI_BYTE, 1, 0, size, MPI_BYTE, win);
    MPI_Win_fence(0, win);
}
static void fence_puts(void)
{
    if (rank == 0)
        for (int i = 0; i < 8; i++)
            MPI_Put(buffer + 8 * i, 8, MPI_BYTE, 1, 8 * i, 8, MPI_BYTE, win);
    MPI_Win_fence(0, win);
}
static MPI_Group other;
static void pscw(void)
{
    if (rank == 0) {
        MPI_Win_start(other, 0, win);
        MPI_Put(buffer, 16, MPI_BYTE, 1, 0, 16, MPI_BYTE, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(other, 0, win);
        MPI_Win_wait(win);
    }
}
static void put_flush(void)
{
    MPI_Put(buffer, size, MPI_BYTE, 1, 0, size, MPI_BYTE, win);
    MPI_Win_flush(1, win);
}
static void get_flush(void)
{
    MPI_Get(buffer, size, MPI_BYTE, 1, 0, size, MPI_BYTE, win);
    MPI_Win_flush(1, win);
}
static void puts_flush(void)
{
    for (int i = 0; i < 64; i++)
        MPI_Put(buffer + 8 * i, 8, MPI_BYTE, 1, 8 * i, 8, MPI_BYTE, win);
    MPI_Win_flush(1, win);
}
static void accumulate(void)
{
    MPI_Accumulate(&one, 1, MPI_INT64_T, 1, 0, 1, MPI_INT64_T, MPI_SUM, win);
    MPI_Win_flush(1, win);
}
static void fetch_and_op(void)
{
    MPI_Fetch_and_op(&one, &old, MPI_INT64_T, 1, 0, MPI_SUM, win);
    MPI_Win_flush(1, win);
}
static void compare_and_swap(void)
{
    MPI_Compare_and_swap(&one, &compare, &old, MPI_INT64_T, 1, 0, win);
    MPI_Win_flush(1, win);
}
static void lock_put(void)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Put(buffer, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, win);
    MPI_Win_unlock(1, win);
}

/* Memory of rank 0 that only the row uses. */
static MPI_Win dynamic;
static void attach_detach(void)
{
    MPI_Win_attach(dynamic, buffer, 4096);
    MPI_Win_detach(dynamic, buffer);
}

/* A put to a target that computes for 50 ms without a call. */
static void busy(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        double until = now() + 50e6;
        while (now() < until)
            ;
    } else {
        double from = now() + 2e6;
        while (now() < from)
            ;
        from = now();
        put_flush();
        printf(" %.2f", now() - from);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static int next;
static void fence_put_next(void)
{
    MPI_Put(buffer, 16, MPI_BYTE, next, 0, 16, MPI_BYTE, win);
    MPI_Win_fence(0, win);
}

/* The rows of more than two ranks. */
static void crowd(int ranks)
{
    next = (rank + 1) % ranks;
    row("barrier", 20, 1, barrier);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    row("fence", 20, 1, fence);
    row("fence-put-16", 20, 1, fence_put_next);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    int good = memcmp(memory, buffer, 16) == 0, all;
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all)
        fail("fence-put-16");
}

static void counted(const char *name, int64_t wanted)
{
    int good = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        int64_t there;
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        memcpy(&there, memory, sizeof there);
        MPI_Win_unlock(1, win);
        good = there == wanted;
        memset(memory, 0, 8);
    }
    MPI_Bcast(&good, 1, MPI_INT, 1, MPI_COMM_WORLD);
    if (!good)
        fail(name);
}

int main(int argc, char **argv)
{
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    samples = argc > 1 ? atoi(argv[1]) : 0;
    if (ranks < 2 || samples < 1) {
        fprintf(stderr, "usage: mpirun -n RANKS mpi SAMPLES [allocate|create]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (argc > 2 && strcmp(argv[2], "create") == 0) {
        memory = aligned_alloc(4096, LARGE);
        MPI_Win_create(memory, LARGE, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    } else {
        MPI_Win_allocate(LARGE, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    }
    memset(memory, 0, LARGE);
    buffer = aligned_alloc(4096, LARGE);
    for (int i = 0; i < LARGE; i++)
        buffer[i] = (unsigned char)(i * 7 + 3);
    int64_t all = samples + samples / 10 + 5;
    if (ranks > 2) {
        crowd(ranks);
        if (rank == 0)
            printf("verified\n");
        MPI_Win_free(&win);
        MPI_Finalize();
        return 0;
    }

    row("barrier", 200, 1, barrier);
    row("fence", 200, 1, fence);
    int sizes[] = { 16, 65536, LARGE }, batches[] = { 200, 50, 4 };
    const char *fences[] = { "fence-put-16", "fence-put-64K", "fence-put-1M" };
    for (int i = 0; i < 3; i++) {
        size = sizes[i];
        row(fences[i], batches[i], 1, fence_put);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        check(fences[i], size);
        MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    }
    row("fence-8-puts-8", 100, 1, fence_puts);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    check("fence-8-puts-8", 64);

    MPI_Group world;
    int peer = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &other);
    row("pscw-put-16", 100, 1, pscw);
    check("pscw-put-16", 16);

    if (rank == 0)
        MPI_Win_lock_all(0, win);
    size = 8;
    row("put-8-flush", 500, 0, put_flush);
    row("get-8-flush", 500, 0, get_flush);
    row("64-puts-8-flush", 20, 0, puts_flush);
    size = 65536;
    row("put-64K-flush", 50, 0, put_flush);
    size = LARGE;
    row("put-1M-flush", 4, 0, put_flush);
    if (rank == 0)
        MPI_Win_unlock_all(win);
    check("put-1M-flush", LARGE);
    if (rank == 0)
        MPI_Win_lock_all(0, win);
    row("accumulate-flush", 500, 0, accumulate);
    if (rank == 0)
        MPI_Win_unlock_all(win);
    counted("accumulate-flush", all * 500);
    if (rank == 0)
        MPI_Win_lock_all(0, win);
    row("fetch-and-op-flush", 500, 0, fetch_and_op);
    if (rank == 0)
        MPI_Win_unlock_all(win);
    counted("fetch-and-op-flush", all * 500);
    if (rank == 0)
        MPI_Win_lock_all(0, win);
    if (getenv("FARSIDE_NO_CAS") == NULL)
        row("compare-and-swap-flush", 500, 0, compare_and_swap);
    if (rank == 0)
        MPI_Win_unlock_all(win);
    row("lock-put-8-unlock", 200, 0, lock_put);
    check("lock-put-8-unlock", 8);

    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
    row("attach-detach", 200, 0, attach_detach);
    MPI_Win_free(&dynamic);

    size = 8;
    if (rank == 0) {
        MPI_Win_lock_all(0, win);
        printf("busy-target-put-8-flush");
    }
    for (int i = 0; i < 7; i++)
        busy();
    if (rank == 0) {
        printf("\n");
        MPI_Win_unlock_all(win);
    }
    check("busy-target-put-8-flush", 8);
    if (rank == 0)
        printf("verified\n");
    MPI_Group_free(&other);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
