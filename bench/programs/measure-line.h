/* The line that every benchmark program prints, whatever it communicates by; see measure.h. */
#ifndef FARSIDE_BENCH_MEASURE_LINE_H
#define FARSIDE_BENCH_MEASURE_LINE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Processor time of this process since its start. */
static inline double measure_cpu(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* The largest resident set of this process, in KiB. */
static inline double measure_peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss;
}

/* Rank 0 alone prints it. */
static inline void measure_line(const char *program, int ranks, int iterations, double seconds, double cpu, double peak,
                                double bytes, int verified)
{
    printf("bench program=%s ranks=%d iterations=%d seconds=%.6f cpu_seconds=%.3f peak_kib=%.0f window_bytes=%.0f verified=%s\n",
           program, ranks, iterations, seconds, cpu, peak, bytes, verified ? "yes" : "no");
    fflush(stdout);
}

/* The `index`-th argument as a number; -1 if it is not one of at least `least`, `otherwise` if it is not given. */
static inline long measure_number(int argc, char **argv, int index, long otherwise, long least)
{
    long value = index < argc ? strtol(argv[index], NULL, 10) : otherwise;
    if (value >= least)
        return value;
    fprintf(stderr, "%s: argument %d must be at least %ld\n", argv[0], index, least);
    return -1;
}

#endif
