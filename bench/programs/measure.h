/* What every benchmark program prints at its end: one line of key=value pairs, on rank 0, read by farside-bench.
 *
 * `seconds` is the time of the main loop on the slowest rank, `cpu_seconds` the processor time of all ranks since
 * their start, `peak_kib` the largest resident set of a rank. */
#ifndef FARSIDE_BENCH_MEASURE_H
#define FARSIDE_BENCH_MEASURE_H

#include "measure-line.h"
#include <mpi.h>

/* Prints the line and returns the exit status of the program: 0 if `verified` holds on every rank. */
static inline int measure_report(const char *program, double seconds, int iterations, double window_bytes, int verified)
{
    double cpu = measure_cpu(), all_cpu;
    double local[3] = {seconds, measure_peak(), window_bytes}, most[3];
    int rank, size, all;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Reduce(local, most, 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&cpu, &all_cpu, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&verified, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (rank == 0)
        measure_line(program, size, iterations, most[0], all_cpu, most[1], most[2], all);
    return all ? 0 : 1;
}

/* The `index`-th argument as a number of at least `least`, or `otherwise` if it is not given. */
static inline long measure_argument(int argc, char **argv, int index, long otherwise, long least)
{
    long value = measure_number(argc, argv, index, otherwise, least);
    if (value < least)
        MPI_Abort(MPI_COMM_WORLD, 2);
    return value;
}

/* Memory for `count` doubles, all zero. */
static inline double *measure_doubles(size_t count)
{
    double *memory = (double *)calloc(count, sizeof(double));
    if (!memory) {
        fprintf(stderr, "out of memory for %zu doubles\n", count);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return memory;
}

#endif
