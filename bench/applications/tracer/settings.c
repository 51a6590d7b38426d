#include "tracer.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

void settings_default(Settings *s) {
    s->cells_x = 64;
    s->cells_y = 48;
    s->steps = 40;
    s->velocity_x = 0.4;
    s->velocity_y = 0.3;
    s->diffusion = 0.05;
    s->time_step = 0.5;
    s->particles = 64;
    s->report_every = 10;
    s->transport = TRANSPORT_PSCW;
    s->output[0] = '\0';
}

/* Lines "name = value"; '#' begins a comment. */
int settings_read(Settings *s, const char *name) {
    FILE *in = fopen(name, "r");
    if (in == NULL) {
        fprintf(stderr, "tracer: cannot read %s\n", name);
        return -1;
    }
    char line[256], key[MAX_NAME], value[MAX_NAME];
    int number = 0;
    while (fgets(line, sizeof line, in) != NULL) {
        number++;
        char *comment = strchr(line, '#');
        if (comment != NULL) *comment = '\0';
        if (line[strspn(line, " \t\r\n")] == '\0') continue;
        if (sscanf(line, " %63[a-z_] = %63s", key, value) != 2) {
            fprintf(stderr, "tracer: %s:%d: not a setting\n", name, number);
            fclose(in);
            return -1;
        }
        if (strcmp(key, "cells_x") == 0) s->cells_x = atoi(value);
        else if (strcmp(key, "cells_y") == 0) s->cells_y = atoi(value);
        else if (strcmp(key, "steps") == 0) s->steps = atoi(value);
        else if (strcmp(key, "velocity_x") == 0) s->velocity_x = atof(value);
        else if (strcmp(key, "velocity_y") == 0) s->velocity_y = atof(value);
        else if (strcmp(key, "diffusion") == 0) s->diffusion = strtod(value, NULL);
        else if (strcmp(key, "time_step") == 0) s->time_step = strtod(value, NULL);
        else if (strcmp(key, "particles") == 0) s->particles = (int)strtol(value, NULL, 10);
        else if (strcmp(key, "transport") == 0) {
            if (strcmp(value, "pscw") == 0) s->transport = TRANSPORT_PSCW;
            else if (strcmp(value, "locks") == 0) s->transport = TRANSPORT_LOCKS;
            else {
                fprintf(stderr, "tracer: %s:%d: transport is pscw or locks\n", name, number);
                fclose(in);
                return -1;
            }
        } else {
            fprintf(stderr, "tracer: %s:%d: unknown setting %s\n", name, number, key);
            fclose(in);
            return -1;
        }
    }
    fclose(in);
    return 0;
}

static void usage(void) {
    fprintf(stderr, "usage: tracer [--config FILE] [--cells XxY] [--steps N] [--particles N]\n"
                    "              [--transport pscw|locks] [--every N] [--output FILE] [--help]\n");
}

/* 0: go on, 1: help was asked for, -1: wrong usage. */
int settings_parse(Settings *s, int argc, char **argv) {
    static const struct option known[] = {
        {"config", required_argument, NULL, 'c'},    {"cells", required_argument, NULL, 'n'},
        {"steps", required_argument, NULL, 's'},     {"particles", required_argument, NULL, 'p'},
        {"transport", required_argument, NULL, 't'}, {"every", required_argument, NULL, 'e'},
        {"output", required_argument, NULL, 'o'},    {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option;
    while ((option = getopt_long(argc, argv, "c:n:s:p:t:e:o:h", known, NULL)) != -1) {
        switch (option) {
        case 'c':
            if (settings_read(s, optarg) != 0) return -1;
            break;
        case 'n':
            if (sscanf(optarg, "%dx%d", &s->cells_x, &s->cells_y) != 2) {
                usage();
                return -1;
            }
            break;
        case 's': s->steps = atoi(optarg); break;
        case 'p': s->particles = atoi(optarg); break;
        case 't':
            if (strcmp(optarg, "pscw") == 0) s->transport = TRANSPORT_PSCW;
            else if (strcmp(optarg, "locks") == 0) s->transport = TRANSPORT_LOCKS;
            else {
                usage();
                return -1;
            }
            break;
        case 'e': s->report_every = atoi(optarg); break;
        case 'o':
            strncpy(s->output, optarg, MAX_NAME - 1);
            s->output[MAX_NAME - 1] = '\0';
            break;
        case 'h': usage(); return 1;
        default: usage(); return -1;
        }
    }
    if (optind < argc) {
        usage();
        return -1;
    }
    if (s->cells_x < 3 || s->cells_y < 3 || s->steps < 0 || s->report_every < 1 || s->particles < 0) {
        fprintf(stderr, "tracer: sizes are too small\n");
        return -1;
    }
    double courant = (s->velocity_x + s->velocity_y) * s->time_step;
    if (courant >= 1.0 || 4 * s->diffusion * s->time_step >= 0.5) {
        fprintf(stderr, "tracer: the time step is too large (Courant number %g)\n", courant);
        return -1;
    }
    return 0;
}

void settings_print(const Settings *s, FILE *to) {
    fprintf(to, "tracer: %d x %d cells, %d steps of %g, %d particles, %s\n", s->cells_x, s->cells_y, s->steps,
            s->time_step, s->particles, s->transport == TRANSPORT_PSCW ? "pscw" : "locks");
}
