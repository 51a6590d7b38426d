/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Accumulate@21", "STORE@20"], "FURTHER_PAIRS": [["MPI_Accumulate@21", "free@52"]], "NPROCS": 2, "DESCRIPTION": "threads count words: a batch is filled again while its accumulate reads it", "COMPILE": "-fopenmp"} */
/* MPI and OpenMP: threads count words into a distributed histogram; each thread has a buffer a target. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define BINS 64
#define BATCH 16
struct buffer { int n; int bin[BATCH]; long ones[BATCH]; };
static MPI_Win win;
static int me, np;
static void send(struct buffer *b, int target) {
    static const long one = 1;
    if (!b->n) return;
    MPI_Datatype t;
    MPI_Type_create_indexed_block(b->n, 1, b->bin, MPI_LONG, &t);
    MPI_Type_commit(&t);
    long *ones = b->ones;
    for (int i = 0; i < b->n; i++) ones[i] = one;
    MPI_Accumulate(ones, b->n, MPI_LONG, target, 0, 1, t, MPI_SUM, win);
    MPI_Type_free(&t);
    b->n = 0;
}
int main(int argc, char **argv) {
    int given;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
    if (given < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    long *bins;
    MPI_Win_allocate(BINS * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &bins, &win);
    memset(bins, 0, BINS * sizeof(long));
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    int words = 400;
    #pragma omp parallel num_threads(2)
    {
        struct buffer *b = calloc(np, sizeof *b);
        unsigned s = 1 + me * 7 + omp_get_thread_num();
        #pragma omp for schedule(static)
        for (int i = 0; i < words; i++) {
            s = s * 1664525u + 1013904223u;
            int key = (int)((s >> 8) % (unsigned)(BINS * np));
            int target = key / BINS, bin = key % BINS, seen = 0;
            struct buffer *t = &b[target];
            for (int k = 0; k < t->n; k++) seen |= t->bin[k] == bin;
            if (seen || t->n == BATCH) send(t, target);
            t->bin[t->n++] = bin;
        }
        for (int t = 0; t < np; t++) send(&b[t], t);
        free(b);
    }
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    long sum = 0, all;
    for (int i = 0; i < BINS; i++) sum += bins[i];
    MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0) printf("%ld words\n", all);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
