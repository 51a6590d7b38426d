/* What calls cost between two PEs, as medians of samples: for this library and others, from one source.
 *
 * Each line: what, bytes, and microseconds a call. PE 0 measures; PE 1 waits in the barrier at the end. */
#include "conform.h"
#include <time.h>

enum { SAMPLES = 41, LARGEST = 65536 };

static long word;
static char data[LARGEST];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int order(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#define TIME(WHAT, BYTES, CALLS, ACT)                                                                                 \
    {                                                                                                                 \
        double times[SAMPLES];                                                                                        \
        for (int sample = 0; sample < SAMPLES; sample++) {                                                            \
            double began = now();                                                                                     \
            for (int call = 0; call < (CALLS); call++) {                                                              \
                ACT;                                                                                                  \
            }                                                                                                         \
            times[sample] = (now() - began) / (CALLS);                                                                \
        }                                                                                                             \
        qsort(times, SAMPLES, sizeof *times, order);                                                                  \
        if (me == 0)                                                                                                  \
            printf("%-28s %6d %10.3f\n", WHAT, BYTES, times[SAMPLES / 2]);                                            \
    }

int main(void) {
    begin();
    char *heap = shmem_malloc(LARGEST);
    long *count = shmem_calloc(1, sizeof *count);
    memset(heap, 1, LARGEST);
    shmem_barrier_all();
    if (me == 0) {
        for (int bytes = 8; bytes <= LARGEST; bytes *= 8) {
            int calls = bytes > 4096 ? 100 : 1000;
            TIME("put, quiet", bytes, calls, shmem_putmem(heap, data, bytes, 1); shmem_quiet())
            TIME("get", bytes, calls, shmem_getmem(data, heap, bytes, 1))
        }
        TIME("p", 8, 1000, shmem_long_p(count, call, 1))
        shmem_quiet();
        TIME("g", 8, 1000, shmem_long_g(count, 1))
        TIME("atomic add, quiet", 8, 1000, shmem_long_atomic_add(count, 1, 1); shmem_quiet())
        TIME("atomic fetch add", 8, 1000, shmem_long_atomic_fetch_add(count, 1, 1))
        TIME("atomic compare swap", 8, 1000, shmem_long_atomic_compare_swap(count, 0, 0, 1))
        TIME("quiet, nothing to do", 0, 1000, shmem_quiet())
        TIME("fence, nothing to do", 0, 1000, shmem_fence())
    }
    shmem_barrier_all();
    TIME("barrier_all", 0, 200, shmem_barrier_all())
    /* There and back, by p and wait_until. */
    *count = 0;
    word = 0;
    long *flag = count;
    long turn = 0;
    shmem_barrier_all();
    TIME("round trip, p and wait_until", 8, 200, turn++;
         if (me == 0) {
             shmem_long_p(flag, turn, 1);
             shmem_long_wait_until(flag, SHMEM_CMP_GE, turn);
         } else if (me == 1) {
             shmem_long_wait_until(flag, SHMEM_CMP_GE, turn);
             shmem_long_p(flag, turn, 0);
         })
    return end();
}
