#include "tracer.h"

#include <math.h>
#include <stdlib.h>

int fields_make(Fields *f, const Settings *s, MPI_Comm comm) {
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (s->cells_y < ranks) return -1;
    int share = s->cells_y / ranks, rest = s->cells_y % ranks;
    f->rows = share + (rank < rest ? 1 : 0);
    f->first_row = rank * share + (rank < rest ? rank : rest);
    f->columns = s->cells_x;
    size_t cells = (size_t)(f->rows + 2) * (size_t)f->columns;
    double **all[] = {&f->salt, &f->heat, &f->dye, &f->next_salt, &f->next_heat, &f->next_dye};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        *all[i] = calloc(cells, sizeof(double));
        if (*all[i] == NULL) return -1;
    }
    return 0;
}

void fields_start(Fields *f, const Settings *s) {
    const double pi = acos(-1.0);
    for (int i = 1; i <= f->rows; i++) {
        for (int j = 0; j < f->columns; j++) {
            double x = (j + 0.5) / s->cells_x, y = (f->first_row + i - 0.5) / s->cells_y;
            int at = i * f->columns + j;
            f->salt[at] = 35.0 + sin(2 * pi * x) * cos(2 * pi * y);
            f->heat[at] = 10.0 + 5.0 * cos(2 * pi * y);
            double dx = x - 0.5, dy = y - 0.5;
            f->dye[at] = exp(-50.0 * (dx * dx + dy * dy));
        }
    }
}

/* Upwind advection and central diffusion; the columns are periodic, the rows have ghosts. */
static void advance(const Fields *f, const Settings *s, const double *old, double *new) {
    double cx = s->velocity_x * s->time_step, cy = s->velocity_y * s->time_step, d = s->diffusion * s->time_step;
    int n = f->columns;
    for (int i = 1; i <= f->rows; i++) {
        for (int j = 0; j < n; j++) {
            int left = j == 0 ? n - 1 : j - 1, right = j == n - 1 ? 0 : j + 1;
            double here = old[i * n + j], west = old[i * n + left], east = old[i * n + right];
            double south = old[(i - 1) * n + j], north = old[(i + 1) * n + j];
            new[i * n + j] = here - cx * (here - west) - cy * (here - south) +
                             d * (west + east + south + north - 4.0 * here);
        }
    }
}

void fields_step(Fields *f, const Settings *s) {
    struct {
        double **now, **next;
    } pairs[] = {{&f->salt, &f->next_salt}, {&f->heat, &f->next_heat}, {&f->dye, &f->next_dye}};
    for (int k = 0; k < 3; k++) {
        advance(f, s, *pairs[k].now, *pairs[k].next);
        double *swap = *pairs[k].now;
        *pairs[k].now = *pairs[k].next;
        *pairs[k].next = swap;
    }
}

double fields_total(const Fields *f, const double *values) {
    double sum = 0;
    for (int i = f->columns; i < (f->rows + 1) * f->columns; i++) sum += values[i];
    return sum;
}

void fields_free(Fields *f) {
    free(f->salt);
    free(f->heat);
    free(f->dye);
    free(f->next_salt);
    free(f->next_heat);
    free(f->next_dye);
}
