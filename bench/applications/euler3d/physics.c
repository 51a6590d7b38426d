/* Initial conditions, reconstruction, Riemann solvers, and the time derivative of the finite volumes. */
#include "euler.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

struct primitive {
    double rho, v[DIMS], p;
};

static double pressure(double gamma, double rho, double mx, double my, double mz, double energy)
{
    return (gamma - 1.0) * (energy - 0.5 * (mx * mx + my * my + mz * mz) / rho);
}

static void conserved(double gamma, const struct primitive *w, double u[NVAR])
{
    double square = 0.0;
    u[RHO] = w->rho;
    for (int d = 0; d < DIMS; d++) {
        u[MX + d] = w->rho * w->v[d];
        square += w->v[d] * w->v[d];
    }
    u[EN] = w->p / (gamma - 1.0) + 0.5 * w->rho * square;
}

static struct primitive primitive_of(double gamma, const double u[NVAR])
{
    struct primitive w;
    w.rho = u[RHO];
    for (int d = 0; d < DIMS; d++) w.v[d] = u[MX + d] / u[RHO];
    w.p = pressure(gamma, u[RHO], u[MX], u[MY], u[MZ], u[EN]);
    return w;
}

/* The advected density wave: density at x at a time, for a velocity of 1. */
double exact_density(const struct deck *deck, double x, double time)
{
    double length = deck->length[deck->axis];
    return 1.0 + 0.2 * sin(2.0 * PI * (x - time) / length);
}

/* The average of the wave over a cell, which is what a finite volume holds. */
static double average_density(const struct deck *deck, double x, double width, double time)
{
    double length = deck->length[deck->axis];
    double wave = 2.0 * PI / length;
    double left = cos(wave * (x - 0.5 * width - time)), right = cos(wave * (x + 0.5 * width - time));
    return 1.0 + 0.2 * (left - right) / (wave * width);
}

static struct primitive initial_cell(const struct deck *deck, const struct block *b, const double x[DIMS])
{
    struct primitive w = {1.0, {0.0, 0.0, 0.0}, 1.0};
    int a = deck->axis;
    switch (deck->problem) {
    case PROBLEM_WAVE:
        w.rho = average_density(deck, x[a], b->width[a], 0.0);
        w.v[a] = 1.0;
        break;
    case PROBLEM_SOD:
        if (x[a] > 0.5 * deck->length[a]) {
            w.rho = 0.125;
            w.p = 0.1;
        }
        break;
    case PROBLEM_BLAST: {
        double square = 0.0;
        for (int d = 0; d < DIMS; d++) {
            double distance = x[d] / deck->length[d] - 0.5;
            square += distance * distance;
        }
        w.p = square < 0.04 ? 10.0 : 0.1;
        break;
    }
    default: break;
    }
    return w;
}

void initial_state(const struct deck *deck, const struct block *b, struct state *s)
{
    for (int k = 0; k < b->cells[2]; k++)
        for (int j = 0; j < b->cells[1]; j++)
            for (int i = 0; i < b->cells[0]; i++) {
                double x[DIMS] = {(b->first[0] + i + 0.5) * b->width[0], (b->first[1] + j + 0.5) * b->width[1],
                                  (b->first[2] + k + 0.5) * b->width[2]};
                struct primitive w = initial_cell(deck, b, x);
                double u[NVAR];
                conserved(deck->gamma, &w, u);
                size_t cell = at(b, i + GHOST, j + GHOST, k + GHOST);
                for (int v = 0; v < NVAR; v++) s->u[v][cell] = u[v];
            }
    s->time = 0.0;
    s->step = 0;
}

double largest_speed(const struct deck *deck, const struct block *b, double *u[NVAR])
{
    double largest = 0.0;
    for (int k = GHOST; k < GHOST + b->cells[2]; k++)
        for (int j = GHOST; j < GHOST + b->cells[1]; j++)
            for (int i = GHOST; i < GHOST + b->cells[0]; i++) {
                double cell[NVAR];
                for (int v = 0; v < NVAR; v++) cell[v] = u[v][at(b, i, j, k)];
                struct primitive w = primitive_of(deck->gamma, cell);
                double sound = sqrt(deck->gamma * w.p / w.rho);
                double rate = 0.0;
                for (int d = 0; d < DIMS; d++) rate += (fabs(w.v[d]) + sound) / b->width[d];
                if (rate > largest) largest = rate;
            }
    double all = 0.0;
    MPI_Allreduce(&largest, &all, 1, MPI_DOUBLE, MPI_MAX, b->comm);
    return all;
}

static double slope(enum limiter limiter, double left, double right)
{
    switch (limiter) {
    case LIMIT_NONE: return 0.0;
    case LIMIT_MINMOD:
        if (left * right <= 0.0) return 0.0;
        return fabs(left) < fabs(right) ? left : right;
    default:
        if (left * right <= 0.0) return 0.0;
        return 2.0 * left * right / (left + right);
    }
}

static void physical_flux(double gamma, const double u[NVAR], int d, double f[NVAR])
{
    struct primitive w = primitive_of(gamma, u);
    for (int v = 0; v < NVAR; v++) f[v] = u[v] * w.v[d];
    f[MX + d] += w.p;
    f[EN] += w.p * w.v[d];
}

static void flux_rusanov(double gamma, const double l[NVAR], const double r[NVAR], int d, double f[NVAR])
{
    double fl[NVAR], fr[NVAR];
    struct primitive wl = primitive_of(gamma, l), wr = primitive_of(gamma, r);
    double sl = fabs(wl.v[d]) + sqrt(gamma * wl.p / wl.rho);
    double sr = fabs(wr.v[d]) + sqrt(gamma * wr.p / wr.rho);
    double s = sl > sr ? sl : sr;
    physical_flux(gamma, l, d, fl);
    physical_flux(gamma, r, d, fr);
    for (int v = 0; v < NVAR; v++) f[v] = 0.5 * (fl[v] + fr[v]) - 0.5 * s * (r[v] - l[v]);
}

static void wave_speeds(double gamma, const struct primitive *l, const struct primitive *r, int d, double *sl,
                        double *sr)
{
    double cl = sqrt(gamma * l->p / l->rho), cr = sqrt(gamma * r->p / r->rho);
    *sl = fmin(l->v[d] - cl, r->v[d] - cr);
    *sr = fmax(l->v[d] + cl, r->v[d] + cr);
}

static void flux_hll(double gamma, const double l[NVAR], const double r[NVAR], int d, double f[NVAR])
{
    struct primitive wl = primitive_of(gamma, l), wr = primitive_of(gamma, r);
    double sl, sr, fl[NVAR], fr[NVAR];
    wave_speeds(gamma, &wl, &wr, d, &sl, &sr);
    physical_flux(gamma, l, d, fl);
    physical_flux(gamma, r, d, fr);
    for (int v = 0; v < NVAR; v++) {
        if (sl >= 0.0)
            f[v] = fl[v];
        else if (sr <= 0.0)
            f[v] = fr[v];
        else
            f[v] = (sr * fl[v] - sl * fr[v] + sl * sr * (r[v] - l[v])) / (sr - sl);
    }
}

static void flux_hllc(double gamma, const double l[NVAR], const double r[NVAR], int d, double f[NVAR])
{
    struct primitive wl = primitive_of(gamma, l), wr = primitive_of(gamma, r);
    double sl, sr;
    wave_speeds(gamma, &wl, &wr, d, &sl, &sr);
    if (sl >= 0.0) {
        physical_flux(gamma, l, d, f);
        return;
    }
    if (sr <= 0.0) {
        physical_flux(gamma, r, d, f);
        return;
    }
    double ml = wl.rho * (sl - wl.v[d]), mr = wr.rho * (sr - wr.v[d]);
    double middle = (wr.p - wl.p + ml * wl.v[d] - mr * wr.v[d]) / (ml - mr);
    const double *u = middle >= 0.0 ? l : r;
    const struct primitive *w = middle >= 0.0 ? &wl : &wr;
    double s = middle >= 0.0 ? sl : sr;
    double star[NVAR];
    double factor = w->rho * (s - w->v[d]) / (s - middle);
    star[RHO] = factor;
    for (int e = 0; e < DIMS; e++) star[MX + e] = factor * (e == d ? middle : w->v[e]);
    star[EN] = factor * (u[EN] / w->rho + (middle - w->v[d]) * (middle + w->p / (w->rho * (s - w->v[d]))));
    physical_flux(gamma, u, d, f);
    for (int v = 0; v < NVAR; v++) f[v] += s * (star[v] - u[v]);
}

/* The state at the upper face of a cell (`side` +1) or at its lower one (-1). */
static void reconstruct(const struct deck *deck, double *u[NVAR], size_t cell, size_t stride, double side,
                        double out[NVAR])
{
    for (int v = 0; v < NVAR; v++) {
        double middle = u[v][cell];
        double s = slope(deck->limiter, middle - u[v][cell - stride], u[v][cell + stride] - middle);
        out[v] = middle + 0.5 * side * s;
    }
}

static void sweep(const struct deck *deck, const struct block *b, int d, double *u[NVAR], double *rate[NVAR])
{
    size_t stride = d == 0 ? 1 : d == 1 ? (size_t)b->total[0] : (size_t)b->total[0] * (size_t)b->total[1];
    double scale = 1.0 / b->width[d];
    int high[DIMS];
    for (int e = 0; e < DIMS; e++) high[e] = GHOST + b->cells[e] + (e == d ? 1 : 0);
    for (int k = GHOST; k < high[2]; k++)
        for (int j = GHOST; j < high[1]; j++)
            for (int i = GHOST; i < high[0]; i++) {
                int place[DIMS] = {i, j, k};
                size_t cell = at(b, i, j, k);
                double left[NVAR], right[NVAR], f[NVAR];
                reconstruct(deck, u, cell - stride, stride, 1.0, left);
                reconstruct(deck, u, cell, stride, -1.0, right);
                switch (deck->flux) {
                case FLUX_RUSANOV: flux_rusanov(deck->gamma, left, right, d, f); break;
                case FLUX_HLL: flux_hll(deck->gamma, left, right, d, f); break;
                default: flux_hllc(deck->gamma, left, right, d, f); break;
                }
                for (int v = 0; v < NVAR; v++) {
                    if (place[d] < GHOST + b->cells[d]) rate[v][cell] += f[v] * scale;
                    if (place[d] > GHOST) rate[v][cell - stride] -= f[v] * scale;
                }
            }
}

void time_derivative(const struct deck *deck, const struct block *b, double *u[NVAR], double *rate[NVAR])
{
    for (int v = 0; v < NVAR; v++) memset(rate[v], 0, b->size * sizeof(double));
    for (int d = 0; d < DIMS; d++) sweep(deck, b, d, u, rate);
}
