/* measure.h for programs with OpenSHMEM: the same line. */
#ifndef FARSIDE_BENCH_MEASURE_SHMEM_H
#define FARSIDE_BENCH_MEASURE_SHMEM_H

#include "measure-line.h"
#include <shmem.h>

/* Prints the line and returns the exit status of the program: 0 if `verified` holds on every PE. */
static inline int measure_report(const char *program, double seconds, int iterations, double bytes, int verified)
{
    static double most[3], most_of_all[3], cpu, all_cpu;
    static int wrong, all_wrong;
    most[0] = seconds;
    most[1] = measure_peak();
    most[2] = bytes;
    cpu = measure_cpu();
    wrong = !verified;
    shmem_barrier_all();
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, most_of_all, most, 3);
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &all_cpu, &cpu, 1);
    shmem_int_max_reduce(SHMEM_TEAM_WORLD, &all_wrong, &wrong, 1);
    if (shmem_my_pe() == 0)
        measure_line(program, shmem_n_pes(), iterations, most_of_all[0], all_cpu, most_of_all[1], most_of_all[2],
                     !all_wrong);
    return all_wrong ? 1 : 0;
}

/* The `index`-th argument as a number of at least `least`, or `otherwise` if it is not given. */
static inline long measure_argument(int argc, char **argv, int index, long otherwise, long least)
{
    long value = measure_number(argc, argv, index, otherwise, least);
    if (value < least)
        shmem_global_exit(2);
    return value;
}

#endif
