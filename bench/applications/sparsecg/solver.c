/* Krylov solvers: conjugate gradients, its form with one reduction a step, and BiCGSTAB. */
#include "sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double dot(const struct layout *l, const double *x, const double *y)
{
    double mine = 0.0, all = 0.0;
    for (int i = 0; i < l->local; i++) mine += x[i] * y[i];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, l->comm);
    return all;
}

static void axpy(int n, double a, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}

/* y = a * y + x */
static void xpay(int n, double a, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] = a * y[i] + x[i];
}

/* y = A x. Rows' owned parts are summed while the ghost entries are on their way. */
void multiply(const struct matrix *a, struct gather *g, const double *x, double *y)
{
    int n = a->layout->local;
    gather_begin(g, x);
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int e = a->first[i]; e < a->first[i + 1]; e++)
            if (a->column[e] < n) sum += a->value[e] * x[a->column[e]];
        y[i] = sum;
    }
    gather_end(g);
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int e = a->first[i]; e < a->first[i + 1]; e++)
            if (a->column[e] >= n) sum += a->value[e] * g->ghost[a->column[e] - n];
        y[i] += sum;
    }
}

/* Symmetric Gauss-Seidel on the owned block: (D + L) D^-1 (D + U) z = r. */
static void ssor(const struct matrix *a, const double *r, double *z)
{
    int n = a->layout->local;
    for (int i = 0; i < n; i++) {
        double sum = r[i];
        for (int e = a->first[i]; e < a->first[i + 1]; e++)
            if (a->column[e] < i) sum -= a->value[e] * z[a->column[e]];
        z[i] = sum / a->diagonal[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = 0.0;
        for (int e = a->first[i]; e < a->first[i + 1]; e++)
            if (a->column[e] > i && a->column[e] < n) sum += a->value[e] * z[a->column[e]];
        z[i] -= sum / a->diagonal[i];
    }
}

static void precondition(const struct matrix *a, enum preconditioner kind, const double *r, double *z)
{
    int n = a->layout->local;
    switch (kind) {
    case PRE_JACOBI:
        for (int i = 0; i < n; i++) z[i] = r[i] / a->diagonal[i];
        break;
    case PRE_SSOR: ssor(a, r, z); break;
    default: memcpy(z, r, (size_t)n * sizeof *z); break;
    }
}

static void residual(const struct matrix *a, struct gather *g, const double *b, const double *x, double *r)
{
    multiply(a, g, x, r);
    for (int i = 0; i < a->layout->local; i++) r[i] = b[i] - r[i];
}

static void trace(const struct layout *l, const struct options *o, int iteration, double norm)
{
    if (o->verbose && l->rank == 0 && iteration % 10 == 0) printf("  iteration %4d residual %.6e\n", iteration, norm);
}

static struct outcome conjugate_gradients(const struct matrix *a, struct gather *g, const struct options *o,
                                          const double *b, double *x)
{
    const struct layout *l = a->layout;
    int n = l->local;
    size_t bytes = (size_t)n * sizeof(double);
    double *r = xmalloc(bytes), *z = xmalloc(bytes), *p = xmalloc(bytes), *q = xmalloc(bytes);
    struct outcome out = {0, 0, 0.0};
    double limit = o->tolerance * sqrt(dot(l, b, b));
    residual(a, g, b, x, r);
    precondition(a, o->preconditioner, r, z);
    memcpy(p, z, bytes);
    double rz = dot(l, r, z);
    out.residual = sqrt(dot(l, r, r));
    while (out.iterations < o->iterations && out.residual > limit) {
        multiply(a, g, p, q);
        double curvature = dot(l, p, q);
        if (!(curvature > 0.0)) break;
        double alpha = rz / curvature;
        axpy(n, alpha, p, x);
        axpy(n, -alpha, q, r);
        precondition(a, o->preconditioner, r, z);
        double next = dot(l, r, z);
        xpay(n, next / rz, z, p);
        rz = next;
        out.residual = sqrt(dot(l, r, r));
        out.iterations++;
        trace(l, o, out.iterations, out.residual);
    }
    out.converged = out.residual <= limit;
    free(r);
    free(z);
    free(p);
    free(q);
    return out;
}

/* Chronopoulos and Gear: one reduction a step, started before the product and finished after it. */
static struct outcome pipelined(const struct matrix *a, struct gather *g, const struct options *o, const double *b,
                                double *x)
{
    const struct layout *l = a->layout;
    int n = l->local;
    size_t bytes = (size_t)n * sizeof(double);
    double *r = xmalloc(bytes), *u = xmalloc(bytes), *w = xmalloc(bytes), *p = xmalloc(bytes), *s = xmalloc(bytes);
    struct outcome out = {0, 0, 0.0};
    double limit = o->tolerance * sqrt(dot(l, b, b));
    double gamma_old = 1.0, alpha = 1.0;
    residual(a, g, b, x, r);
    memset(p, 0, bytes);
    memset(s, 0, bytes);
    out.residual = sqrt(dot(l, r, r));
    while (out.iterations < o->iterations && out.residual > limit) {
        precondition(a, o->preconditioner, r, u);
        double mine[2] = {0.0, 0.0}, sums[2];
        MPI_Request request;
        for (int i = 0; i < n; i++) {
            mine[0] += r[i] * u[i];
            mine[1] += r[i] * r[i];
        }
        MPI_Iallreduce(mine, sums, 2, MPI_DOUBLE, MPI_SUM, l->comm, &request);
        multiply(a, g, u, w);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        double gamma = sums[0];
        double delta = dot(l, w, u);
        double beta = out.iterations == 0 ? 0.0 : gamma / gamma_old;
        double denominator = delta - (out.iterations == 0 ? 0.0 : beta * gamma / alpha);
        if (!(denominator > 0.0)) break;
        alpha = gamma / denominator;
        gamma_old = gamma;
        xpay(n, beta, u, p);
        xpay(n, beta, w, s);
        axpy(n, alpha, p, x);
        axpy(n, -alpha, s, r);
        out.residual = sqrt(sums[1]);
        out.iterations++;
        trace(l, o, out.iterations, out.residual);
    }
    residual(a, g, b, x, r);
    out.residual = sqrt(dot(l, r, r));
    out.converged = out.residual <= 10.0 * limit;
    free(r);
    free(u);
    free(w);
    free(p);
    free(s);
    return out;
}

static struct outcome bicgstab(const struct matrix *a, struct gather *g, const struct options *o, const double *b,
                               double *x)
{
    const struct layout *l = a->layout;
    int n = l->local;
    size_t bytes = (size_t)n * sizeof(double);
    double *r = xmalloc(bytes), *shadow = xmalloc(bytes), *p = xmalloc(bytes), *v = xmalloc(bytes);
    double *s = xmalloc(bytes), *t = xmalloc(bytes), *y = xmalloc(bytes);
    struct outcome out = {0, 0, 0.0};
    double limit = o->tolerance * sqrt(dot(l, b, b));
    residual(a, g, b, x, r);
    memcpy(shadow, r, bytes);
    memcpy(p, r, bytes);
    double rho = dot(l, shadow, r);
    out.residual = sqrt(dot(l, r, r));
    while (out.iterations < o->iterations && out.residual > limit && rho != 0.0) {
        precondition(a, o->preconditioner, p, y);
        multiply(a, g, y, v);
        double alpha = rho / dot(l, shadow, v);
        axpy(n, alpha, y, x);
        memcpy(s, r, bytes);
        axpy(n, -alpha, v, s);
        precondition(a, o->preconditioner, s, y);
        multiply(a, g, y, t);
        double tt = dot(l, t, t);
        double omega = tt > 0.0 ? dot(l, t, s) / tt : 0.0;
        axpy(n, omega, y, x);
        memcpy(r, s, bytes);
        axpy(n, -omega, t, r);
        double next = dot(l, shadow, r);
        double beta = omega != 0.0 ? next / rho * (alpha / omega) : 0.0;
        rho = next;
        axpy(n, -omega, v, p);
        xpay(n, beta, r, p);
        out.residual = sqrt(dot(l, r, r));
        out.iterations++;
        trace(l, o, out.iterations, out.residual);
        if (omega == 0.0) break;
    }
    out.converged = out.residual <= limit;
    free(r);
    free(shadow);
    free(p);
    free(v);
    free(s);
    free(t);
    free(y);
    return out;
}

struct outcome solve(const struct matrix *a, struct gather *g, const struct options *o, const double *b, double *x)
{
    switch (o->method) {
    case METHOD_PIPELINED: return pipelined(a, g, o, b, x);
    case METHOD_BICGSTAB: return bicgstab(a, g, o, b, x);
    default: return conjugate_gradients(a, g, o, b, x);
    }
}
