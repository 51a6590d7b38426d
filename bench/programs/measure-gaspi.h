/* measure.h for programs with GASPI: the same line, and what ends a program whose call fails. */
#ifndef FARSIDE_BENCH_MEASURE_GASPI_H
#define FARSIDE_BENCH_MEASURE_GASPI_H

#include "measure-line.h"
#include <GASPI.h>

#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        gaspi_return_t must_code = (call);                                                                             \
        if (must_code != GASPI_SUCCESS) {                                                                              \
            gaspi_string_t must_message = "";                                                                          \
            gaspi_print_error(must_code, &must_message);                                                               \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, must_message);                               \
            exit(2);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Prints the line and returns the exit status of the program: 0 if `verified` holds on every rank. */
static inline int measure_report(const char *program, double seconds, int iterations, double bytes, int verified)
{
    double most[3] = {seconds, measure_peak(), bytes}, most_of_all[3], cpu = measure_cpu(), all_cpu;
    int wrong = !verified, all_wrong;
    gaspi_rank_t rank, ranks;
    MUST(gaspi_proc_rank(&rank));
    MUST(gaspi_proc_num(&ranks));
    MUST(gaspi_allreduce(most, most_of_all, 3, GASPI_OP_MAX, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, GASPI_BLOCK));
    MUST(gaspi_allreduce(&cpu, &all_cpu, 1, GASPI_OP_SUM, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, GASPI_BLOCK));
    MUST(gaspi_allreduce(&wrong, &all_wrong, 1, GASPI_OP_MAX, GASPI_TYPE_INT, GASPI_GROUP_ALL, GASPI_BLOCK));
    if (rank == 0)
        measure_line(program, ranks, iterations, most_of_all[0], all_cpu, most_of_all[1], most_of_all[2], !all_wrong);
    return all_wrong ? 1 : 0;
}

/* The `index`-th argument as a number of at least `least`, or `otherwise` if it is not given. */
static inline long measure_argument(int argc, char **argv, int index, long otherwise, long least)
{
    long value = measure_number(argc, argv, index, otherwise, least);
    if (value < least)
        exit(2);
    return value;
}

#endif
