/* The input deck: key = value lines, options of the command line, and their validation. */
#include "euler.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const problem_names[] = {"wave", "sod", "blast"};
static const char *const boundary_names[] = {"periodic", "outflow", "wall"};
static const char *const limiter_names[] = {"none", "minmod", "vanleer"};
static const char *const flux_names[] = {"rusanov", "hll", "hllc"};

void deck_defaults(struct deck *deck)
{
    memset(deck, 0, sizeof *deck);
    for (int d = 0; d < DIMS; d++) {
        deck->cells[d] = 12;
        deck->blocks[d] = 0;
        deck->length[d] = 1.0;
        deck->boundary[d] = BOUND_PERIODIC;
    }
    deck->gamma = 1.4;
    deck->cfl = 0.3;
    deck->end_time = 0.05;
    deck->max_steps = 200;
    deck->report_every = 5;
    deck->checkpoint_every = 0;
    deck->problem = PROBLEM_WAVE;
    deck->axis = 0;
    deck->limiter = LIMIT_VANLEER;
    deck->flux = FLUX_HLL;
}

static int parse_int(const char *text, int low, int high, int *out)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    while (isspace((unsigned char)*end)) end++;
    if (errno != 0 || end == text || *end != '\0' || value < low || value > high) return -1;
    *out = (int)value;
    return 0;
}

static int parse_double(const char *text, double low, double high, double *out)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    while (isspace((unsigned char)*end)) end++;
    if (errno != 0 || end == text || *end != '\0' || !(value >= low) || !(value <= high)) return -1;
    *out = value;
    return 0;
}

static int parse_name(const char *text, const char *const names[], int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0) return i;
    return -1;
}

/* "24", or "24,16,16": one number for all directions, or one for each. */
static int parse_three(const char *text, int low, int high, int out[DIMS])
{
    char copy[128];
    if (strlen(text) >= sizeof copy) return -1;
    strcpy(copy, text);
    int found = 0;
    char *rest = NULL;
    for (char *part = strtok_r(copy, ", ", &rest); part != NULL; part = strtok_r(NULL, ", ", &rest)) {
        if (found == DIMS || parse_int(part, low, high, &out[found]) != 0) return -1;
        found++;
    }
    if (found == 1) {
        out[1] = out[0];
        out[2] = out[0];
        return 0;
    }
    return found == DIMS ? 0 : -1;
}

static int set_name(char *to, size_t room, const char *value)
{
    if (strlen(value) >= room) return -1;
    strcpy(to, value);
    return 0;
}

/* Sets one key. 0: done; -1: a bad value; -2: no such key. */
int deck_set(struct deck *deck, const char *key, const char *value)
{
    int which;
    if (strcmp(key, "cells") == 0) return parse_three(value, 1, 4096, deck->cells);
    if (strcmp(key, "blocks") == 0) return parse_three(value, 0, 4096, deck->blocks);
    if (strcmp(key, "length") == 0) {
        double length;
        if (parse_double(value, 1e-6, 1e6, &length) != 0) return -1;
        for (int d = 0; d < DIMS; d++) deck->length[d] = length;
        return 0;
    }
    if (strcmp(key, "gamma") == 0) return parse_double(value, 1.01, 3.0, &deck->gamma);
    if (strcmp(key, "cfl") == 0) return parse_double(value, 0.01, 1.0, &deck->cfl);
    if (strcmp(key, "end_time") == 0) return parse_double(value, 0.0, 1e6, &deck->end_time);
    if (strcmp(key, "max_steps") == 0) return parse_int(value, 0, 100000000, &deck->max_steps);
    if (strcmp(key, "report_every") == 0) return parse_int(value, 0, 100000000, &deck->report_every);
    if (strcmp(key, "checkpoint_every") == 0) return parse_int(value, 0, 100000000, &deck->checkpoint_every);
    if (strcmp(key, "axis") == 0) {
        if (strlen(value) != 1 || value[0] < 'x' || value[0] > 'z') return -1;
        deck->axis = value[0] - 'x';
        return 0;
    }
    if (strcmp(key, "problem") == 0) {
        which = parse_name(value, problem_names, PROBLEM_COUNT);
        if (which < 0) return -1;
        deck->problem = (enum problem)which;
        return 0;
    }
    if (strncmp(key, "boundary", 8) == 0) {
        which = parse_name(value, boundary_names, BOUND_COUNT);
        if (which < 0) return -1;
        if (key[8] == '\0') {
            for (int d = 0; d < DIMS; d++) deck->boundary[d] = (enum boundary)which;
            return 0;
        }
        if (key[8] != '_' || key[9] < 'x' || key[9] > 'z' || key[10] != '\0') return -2;
        deck->boundary[key[9] - 'x'] = (enum boundary)which;
        return 0;
    }
    if (strcmp(key, "limiter") == 0) {
        which = parse_name(value, limiter_names, LIMIT_COUNT);
        if (which < 0) return -1;
        deck->limiter = (enum limiter)which;
        return 0;
    }
    if (strcmp(key, "flux") == 0) {
        which = parse_name(value, flux_names, FLUX_COUNT);
        if (which < 0) return -1;
        deck->flux = (enum flux)which;
        return 0;
    }
    if (strcmp(key, "checkpoint") == 0) return set_name(deck->checkpoint, sizeof deck->checkpoint, value);
    if (strcmp(key, "restart") == 0) return set_name(deck->restart, sizeof deck->restart, value);
    if (strcmp(key, "slice") == 0) return set_name(deck->slice, sizeof deck->slice, value);
    return -2;
}

static char *trim(char *text)
{
    while (isspace((unsigned char)*text)) text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) text[--length] = '\0';
    return text;
}

static int set_pair(struct deck *deck, char *pair, const char *where, int line)
{
    char *equals = strchr(pair, '=');
    if (equals == NULL) {
        fprintf(stderr, "%s:%d: expected key = value, found \"%s\"\n", where, line, pair);
        return -1;
    }
    *equals = '\0';
    char *key = trim(pair);
    char *value = trim(equals + 1);
    switch (deck_set(deck, key, value)) {
    case 0: return 0;
    case -2: fprintf(stderr, "%s:%d: no such key: %s\n", where, line, key); return -1;
    default: fprintf(stderr, "%s:%d: bad value for %s: %s\n", where, line, key, value); return -1;
    }
}

int deck_read_file(struct deck *deck, const char *name)
{
    FILE *file = fopen(name, "r");
    if (file == NULL) {
        fprintf(stderr, "cannot read the deck %s: %s\n", name, strerror(errno));
        return -1;
    }
    char text[512];
    int line = 0, bad = 0;
    while (fgets(text, sizeof text, file) != NULL) {
        line++;
        char *comment = strchr(text, '#');
        if (comment != NULL) *comment = '\0';
        char *pair = trim(text);
        if (*pair == '\0') continue;
        if (set_pair(deck, pair, name, line) != 0) bad++;
    }
    fclose(file);
    return bad == 0 ? 0 : -1;
}

static void usage(const char *program)
{
    fprintf(stderr,
            "usage: %s [-i DECK] [-o KEY=VALUE]... [-n CELLS] [-s STEPS] [-p wave|sod|blast] [-v]\n"
            "keys: cells, blocks, length, gamma, cfl, end_time, max_steps, report_every, checkpoint_every, problem,\n"
            "      axis, boundary, boundary_x, boundary_y, boundary_z, limiter, flux, checkpoint, restart, slice\n",
            program);
}

/* Reads the command line on rank 0. 0: go on; 1: help was shown; -1: wrong. */
int deck_arguments(struct deck *deck, int argc, char **argv, int rank)
{
    if (rank != 0) return 0;
    int option;
    char copy[300];
    opterr = 1;
    while ((option = getopt(argc, argv, "i:o:n:s:p:vh")) != -1) {
        switch (option) {
        case 'i':
            if (deck_read_file(deck, optarg) != 0) return -1;
            break;
        case 'o':
            if (strlen(optarg) >= sizeof copy) return -1;
            strcpy(copy, optarg);
            if (set_pair(deck, copy, "command line", optind - 1) != 0) return -1;
            break;
        case 'n':
            if (parse_three(optarg, 1, 4096, deck->cells) != 0) {
                fprintf(stderr, "-n: expected cells, such as 24 or 24,16,16\n");
                return -1;
            }
            break;
        case 's':
            if (parse_int(optarg, 0, 100000000, &deck->max_steps) != 0) {
                fprintf(stderr, "-s: expected a number of steps\n");
                return -1;
            }
            break;
        case 'p':
            if (deck_set(deck, "problem", optarg) != 0) {
                fprintf(stderr, "-p: no such problem: %s\n", optarg);
                return -1;
            }
            break;
        case 'v': deck->verbose = 1; break;
        case 'h': usage(argv[0]); return 1;
        default: usage(argv[0]); return -1;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "%s: what is \"%s\"?\n", argv[0], argv[optind]);
        usage(argv[0]);
        return -1;
    }
    return 0;
}

int deck_validate(const struct deck *deck, int ranks)
{
    int bad = 0;
    int blocks = 1;
    for (int d = 0; d < DIMS; d++) {
        if (deck->cells[d] < GHOST) {
            fprintf(stderr, "at least %d cells are needed in direction %c\n", GHOST, 'x' + d);
            bad = 1;
        }
        if (deck->blocks[d] > 0) blocks *= deck->blocks[d];
    }
    if (ranks % blocks != 0) {
        fprintf(stderr, "%d ranks cannot be arranged with %d blocks set in the deck\n", ranks, blocks);
        bad = 1;
    }
    if (deck->problem == PROBLEM_WAVE && deck->boundary[deck->axis] != BOUND_PERIODIC) {
        fprintf(stderr, "the wave needs a periodic boundary along %c\n", 'x' + deck->axis);
        bad = 1;
    }
    if (deck->problem == PROBLEM_SOD && deck->boundary[deck->axis] == BOUND_PERIODIC && deck->end_time > 0.1) {
        fprintf(stderr, "the tube with a periodic boundary is good until t = 0.1 only\n");
        bad = 1;
    }
    if (deck->checkpoint_every > 0 && deck->checkpoint[0] == '\0') {
        fprintf(stderr, "checkpoint_every needs checkpoint = FILE\n");
        bad = 1;
    }
    return bad ? -1 : 0;
}

void deck_print(const struct deck *deck, FILE *to)
{
    fprintf(to, "problem %s along %c, %d x %d x %d cells, gamma %g, cfl %g, end time %g, at most %d steps\n",
            problem_names[deck->problem], 'x' + deck->axis, deck->cells[0], deck->cells[1], deck->cells[2],
            deck->gamma, deck->cfl, deck->end_time, deck->max_steps);
    fprintf(to, "limiter %s, flux %s, boundaries %s %s %s\n", limiter_names[deck->limiter], flux_names[deck->flux],
            boundary_names[deck->boundary[0]], boundary_names[deck->boundary[1]], boundary_names[deck->boundary[2]]);
    if (deck->restart[0] != '\0') fprintf(to, "restart from %s\n", deck->restart);
    if (deck->checkpoint[0] != '\0') fprintf(to, "checkpoint to %s\n", deck->checkpoint);
}

void deck_broadcast(struct deck *deck, MPI_Comm comm)
{
    MPI_Bcast(deck, (int)sizeof *deck, MPI_BYTE, 0, comm);
}
