/* What fences, collective calls and puts of an MPI cost: the programs of crates/measure/src/programs.rs and
 * overlap.rs, in C, as a user would write them. What is changed there has to be changed here.
 *
 * Usage: fences SAMPLES allocate|create STUDY..., a STUDY being collectives, overlap, one-way, fence, halo or put.
 * Rank 0 prints a line a row: study|series|x|samples, in microseconds (overlap: hundredths); the series is empty
 * where it is the library itself. Ends with `verified`, or with status 1 where a fence has returned before a put was
 * visible. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 8
#define WARM 5
/* A sample takes at least so many microseconds, and the samples of a row at the most so many. */
#define LONG_ENOUGH 100.0
#define BUDGET 1e6
#define BUDGET_OF_OVERLAP 2e5

static int rank, ranks, create;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static void compute(double microseconds)
{
    double until = now() + microseconds;
    while (now() < until)
        ;
}

static MPI_Win window(size_t bytes, unsigned char **memory)
{
    MPI_Win win;
    if (create) {
        *memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
        MPI_Win_create(*memory, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    } else {
        MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, memory, &win);
    }
    memset(*memory, 255, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    return win;
}

static void free_window(MPI_Win win, unsigned char *memory)
{
    MPI_Win_free(&win);
    if (create)
        free(memory);
}

/* What ranks do between two fences. */
static struct {
    int neighbours, distances[MOST], bytes;
    /* Rank 0 alone puts and computes. */
    int one_way;
    double compute;
    MPI_Win win;
    unsigned char *origin;
} epochs;

static int is_origin(int other)
{
    return !epochs.one_way || other == 0;
}

static void epoch(void)
{
    for (int i = 0; i < epochs.neighbours && is_origin(rank); i++)
        MPI_Put(epochs.origin, epochs.bytes, MPI_BYTE, (rank + epochs.distances[i]) % ranks,
                (MPI_Aint)i * epochs.bytes, epochs.bytes, MPI_BYTE, epochs.win);
    if (epochs.compute > 0 && is_origin(rank))
        compute(epochs.compute);
    MPI_Win_fence(0, epochs.win);
}

/* How often `once` is called for a sample, and how many samples there are: rank 0 tells. */
static void pace(void (*once)(void), int everybody, int wanted, double budget, int *batch, int *samples)
{
    for (int i = 0; i < WARM; i++)
        once();
    double from = now();
    for (int i = 0; i < WARM; i++)
        once();
    double each = (now() - from) / WARM;
    double calls = LONG_ENOUGH / (each > 0.01 ? each : 0.01);
    int told[2];
    told[0] = calls < 1 ? 1 : calls > 1000 ? 1000 : (int)calls;
    double most = budget / (told[0] * each);
    told[1] = most < 5 ? 5 : most < wanted ? (int)most : wanted;
    if (everybody)
        MPI_Bcast(told, 2, MPI_INT, 0, MPI_COMM_WORLD);
    *batch = told[0];
    *samples = told[1];
}

static int measure(void (*once)(void), int everybody, int wanted, double budget, double **times)
{
    int batch, samples;
    pace(once, everybody, wanted, budget, &batch, &samples);
    *times = malloc(samples * sizeof **times);
    for (int s = 0; s < samples; s++) {
        double from = now();
        for (int i = 0; i < batch; i++)
            once();
        (*times)[s] = (now() - from) / batch;
    }
    return samples;
}

static void print(const char *study, const char *series, long x, int samples, const double *times)
{
    if (rank != 0)
        return;
    printf("%s|%s|%ld|", study, series, x);
    for (int s = 0; s < samples; s++)
        printf(" %.4f", times[s]);
    printf("\n");
    fflush(stdout);
}

/* A sequence of epochs. After it, all that was put is there. */
static int sequence(int wanted, double budget, double **times)
{
    unsigned char *memory;
    size_t bytes = (size_t)epochs.bytes * (epochs.neighbours > 0 ? epochs.neighbours : 1);
    epochs.win = window(bytes > 0 ? bytes : 1, &memory);
    epochs.origin = malloc(epochs.bytes + 1);
    memset(epochs.origin, rank, epochs.bytes + 1);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, epochs.win);
    int samples = measure(epoch, 1, wanted, budget, times);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, epochs.win);
    for (int i = 0; i < epochs.neighbours; i++) {
        int origin = (rank + ranks - epochs.distances[i]) % ranks;
        for (int b = 0; b < epochs.bytes && is_origin(origin); b++)
            if (memory[(size_t)i * epochs.bytes + b] != origin) {
                fprintf(stderr, "fences: a fence has returned before a put was visible\n");
                MPI_Abort(MPI_COMM_WORLD, 1);
            }
    }
    free_window(epochs.win, memory);
    free(epochs.origin);
    return samples;
}

/* The nearest ranks on both sides. */
static void around(int neighbours)
{
    epochs.neighbours = neighbours;
    for (int i = 0; i < neighbours / 2; i++) {
        epochs.distances[2 * i] = i + 1;
        epochs.distances[2 * i + 1] = ranks - i - 1;
    }
}

static void single(int bytes)
{
    epochs.neighbours = 1;
    epochs.distances[0] = 1;
    epochs.bytes = bytes;
    epochs.compute = 0;
}

static void row(const char *study, int wanted)
{
    double *times;
    int samples = sequence(wanted, BUDGET, &times);
    print(study, "", ranks, samples, times);
    free(times);
}

static void fence(int wanted)
{
    single(0);
    epochs.neighbours = 0;
    row("fence, no put", wanted);
    if (ranks > 1) {
        single(16);
        row("fence, one put of 16 bytes", wanted);
    }
    if (ranks > 8) {
        around(8);
        row("fence, puts of 16 bytes to 8 neighbours", wanted);
    }
}

static void halo(int wanted)
{
    epochs.bytes = 16 << 10;
    epochs.compute = 100;
    if (ranks > 4) {
        around(4);
        row("halo, 4 neighbours", wanted);
    }
    if (ranks > 8) {
        around(8);
        row("halo, 8 neighbours", wanted);
    }
}

static int ascending(const void *left, const void *right)
{
    double l = *(const double *)left, r = *(const double *)right;
    return (l > r) - (l < r);
}

/* The median epoch with so much computation, at the slowest rank. */
static double slowest(double microseconds)
{
    double *times, median, most;
    epochs.compute = microseconds;
    int samples = sequence(101, BUDGET_OF_OVERLAP, &times);
    qsort(times, samples, sizeof *times, ascending);
    median = times[samples / 2];
    free(times);
    MPI_Allreduce(&median, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

static void overlap(const char *study, const char *of_transfer, int one_way)
{
    epochs.one_way = one_way;
    for (int bytes = 1 << 10; bytes <= 1 << 20; bytes *= 4) {
        single(0);
        epochs.neighbours = 0;
        double empty = slowest(0);
        single(bytes);
        double base = slowest(0), fits = 0, exceeds = 1;
        if (slowest(base) <= 1.05 * base) {
            fits = 1;
        } else {
            for (int step = 0; step < 7; step++) {
                double middle = (fits + exceeds) / 2;
                if (slowest(middle * base) <= 1.05 * base)
                    fits = middle;
                else
                    exceeds = middle;
            }
        }
        double percent = 100 * fits;
        print(study, "", bytes, 1, &percent);
        if (base - empty > 0.1 * base) {
            percent = 100 * fits * base / (base - empty);
            percent = percent > 100 ? 100 : percent;
            print(of_transfer, "", bytes, 1, &percent);
        }
    }
    epochs.one_way = 0;
}

static int values[64], sums[64], *blocks, each;
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void allreduce(void) { MPI_Allreduce(values, sums, 64, MPI_INT, MPI_MAX, MPI_COMM_WORLD); }
static void reduce_scatter(void)
{
    MPI_Reduce_scatter_block(blocks, sums, each, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

static void collectives(int wanted)
{
    struct {
        const char *name;
        void (*once)(void);
    } rows[] = { { "barrier", barrier }, { "allreduce", allreduce }, { "reduce-scatter", reduce_scatter } };
    each = 64 / ranks > 0 ? 64 / ranks : 1;
    blocks = calloc((size_t)each * ranks, sizeof *blocks);
    for (int i = 0; i < 3; i++) {
        double *times;
        int samples = measure(rows[i].once, 1, wanted, BUDGET, &times);
        print("collectives", rows[i].name, ranks, samples, times);
        free(times);
    }
    free(blocks);
}

static int length;
static void put_flush(void)
{
    MPI_Put(epochs.origin, length, MPI_BYTE, 1, 0, length, MPI_BYTE, epochs.win);
    MPI_Win_flush(1, epochs.win);
}

static void put(int wanted)
{
    unsigned char *memory;
    if (ranks < 2)
        return;
    epochs.win = window(1 << 20, &memory);
    epochs.origin = malloc(1 << 20);
    memset(epochs.origin, 7, 1 << 20);
    MPI_Win_lock_all(0, epochs.win);
    for (length = 8; length <= 1 << 20; length *= 2) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            double *times;
            int samples = measure(put_flush, 0, wanted, BUDGET, &times);
            print("put", "put and flush", length, samples, times);
            free(times);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(epochs.win);
    free_window(epochs.win, memory);
    free(epochs.origin);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int wanted = argc > 3 ? atoi(argv[1]) : 0;
    if (wanted < 1 || ranks > 256) {
        fprintf(stderr, "usage: mpirun -n RANKS fences SAMPLES allocate|create STUDY... (256 ranks at the most)\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    create = strcmp(argv[2], "create") == 0;
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "collectives") == 0)
            collectives(wanted);
        else if (strcmp(argv[i], "overlap") == 0 && ranks > 1)
            overlap("overlap", "overlap of the transfer", 0);
        else if (strcmp(argv[i], "one-way") == 0 && ranks > 1)
            overlap("one-way overlap", "one-way overlap of the transfer", 1);
        else if (strcmp(argv[i], "fence") == 0)
            fence(wanted);
        else if (strcmp(argv[i], "halo") == 0)
            halo(wanted);
        else if (strcmp(argv[i], "put") == 0)
            put(wanted);
    }
    if (rank == 0)
        printf("verified\n");
    MPI_Finalize();
    return 0;
}
