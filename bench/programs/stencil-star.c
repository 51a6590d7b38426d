/* A star-shaped stencil on a square grid, decomposed in two dimensions; the halos are windows, the grid is not.
 *
 * This is how most stencil codes look: the grid lives in ordinary memory and by far the most loads and stores go there;
 * only packed edges travel, by MPI_Put between two fences. Weights are those of a central difference, so that on the
 * start values x + y each sweep adds exactly 2 to every inner point; this is verified at the end.
 *
 * Usage: stencil-star N ITERATIONS RADIUS     (global grid N x N, RADIUS 2 to 4) */
#include "measure.h"
#include <math.h>

enum { WEST, EAST, SOUTH, NORTH, SIDES };
static const int opposite[SIDES] = {EAST, WEST, NORTH, SOUTH};

struct grid {
    long n;             /* points of the global grid in one direction */
    int radius;
    int nx, ny;         /* points of this piece */
    long x0, y0;        /* global index of its first point */
    long pitch;         /* distance between rows, halo included */
    double *in, *out;   /* (ny + 2 radius) rows; `in` has the halo filled */
};

struct exchange {
    int neighbor[SIDES];            /* or MPI_PROC_NULL */
    int length[SIDES];              /* doubles per side */
    double *edge[SIDES];            /* packed points to send */
    double *halo[SIDES];            /* where the neighbour puts its points: parts of the window */
    MPI_Aint displacement[SIDES];   /* of that part in my window */
    MPI_Aint remote[SIDES];         /* of the part in the neighbour's window that I fill */
    double *memory;
    MPI_Aint bytes;
    MPI_Win win;
};

static double *at(struct grid *g, double *field, int x, int y)
{
    return field + (y + g->radius) * g->pitch + x + g->radius;
}

/* Splits `n` points over `parts`; the first parts get one more if it does not divide. */
static void split(long n, int parts, int part, long *first, int *count)
{
    long each = n / parts, rest = n % parts;
    *first = part * each + (part < rest ? part : rest);
    *count = (int)(each + (part < rest ? 1 : 0));
}

static void grid_create(struct grid *g, MPI_Comm comm, long n, int radius)
{
    int dims[2], periods[2], coords[2];
    MPI_Cart_get(comm, 2, dims, periods, coords);
    g->n = n;
    g->radius = radius;
    split(n, dims[0], coords[0], &g->x0, &g->nx);
    split(n, dims[1], coords[1], &g->y0, &g->ny);
    g->pitch = g->nx + 2 * radius;
    size_t points = (size_t)g->pitch * (g->ny + 2 * radius);
    g->in = measure_doubles(points);
    g->out = measure_doubles(points);
    for (int y = 0; y < g->ny; y++)
        for (int x = 0; x < g->nx; x++)
            *at(g, g->in, x, y) = (double)(g->x0 + x + g->y0 + y);
}

static void exchange_create(struct exchange *e, struct grid *g, MPI_Comm comm)
{
    MPI_Cart_shift(comm, 0, 1, &e->neighbor[WEST], &e->neighbor[EAST]);
    MPI_Cart_shift(comm, 1, 1, &e->neighbor[SOUTH], &e->neighbor[NORTH]);
    MPI_Aint offset = 0;
    for (int side = 0; side < SIDES; side++) {
        e->length[side] = g->radius * (side == WEST || side == EAST ? g->ny : g->nx);
        e->displacement[side] = offset;
        offset += e->length[side];
        e->edge[side] = measure_doubles(e->length[side]);
    }
    e->bytes = offset * (MPI_Aint)sizeof(double);
    MPI_Win_allocate(e->bytes, sizeof(double), MPI_INFO_NULL, comm, &e->memory, &e->win);
    MPI_Win_set_name(e->win, "stencil halos");
    for (int side = 0; side < SIDES; side++) {
        e->halo[side] = e->memory + e->displacement[side];
        e->remote[side] = 0;
    }
    /* What I put to the west goes to that neighbour's east halo; it tells me where that is. */
    for (int side = 0; side < SIDES; side++)
        MPI_Sendrecv(&e->displacement[opposite[side]], 1, MPI_AINT, e->neighbor[opposite[side]], side,
                     &e->remote[side], 1, MPI_AINT, e->neighbor[side], side, comm, MPI_STATUS_IGNORE);
}

/* Copies the points of `side` between the grid and a packed buffer: the edge of the piece, or the halo beyond it. */
static void copy_side(struct grid *g, int side, double *packed, int to_halo)
{
    int r = g->radius, along = side == WEST || side == EAST ? g->ny : g->nx;
    int start = side == WEST || side == SOUTH ? (to_halo ? -r : 0) : (side == EAST ? g->nx : g->ny) - (to_halo ? 0 : r);
    for (int depth = 0; depth < r; depth++)
        for (int i = 0; i < along; i++) {
            double *point = side == WEST || side == EAST ? at(g, g->in, start + depth, i) : at(g, g->in, i, start + depth);
            if (to_halo)
                *point = packed[depth * along + i];
            else
                packed[depth * along + i] = *point;
        }
}

static void exchange_halos(struct exchange *e, struct grid *g)
{
    for (int side = 0; side < SIDES; side++)
        if (e->neighbor[side] != MPI_PROC_NULL)
            copy_side(g, side, e->edge[side], 0);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, e->win);
    for (int side = 0; side < SIDES; side++)
        MPI_Put(e->edge[side], e->length[side], MPI_DOUBLE, e->neighbor[side], e->remote[side], e->length[side],
                MPI_DOUBLE, e->win);
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, e->win);
    for (int side = 0; side < SIDES; side++)
        if (e->neighbor[side] != MPI_PROC_NULL)
            copy_side(g, side, e->halo[side], 1);
}

/* One row of a sweep. Inlined with a constant radius, so that the compiler unrolls and vectorises it. */
static inline void sweep_row(const double *restrict in, double *restrict out, long pitch, int from, int to,
                             const double *weight, int radius)
{
    for (int x = from; x < to; x++) {
        double sum = 0;
        for (int k = 1; k <= radius; k++)
            sum += weight[k] * (in[x + k] - in[x - k] + in[x + k * pitch] - in[x - k * pitch]);
        out[x] += sum;
    }
}

/* One sweep over the points whose whole star lies in the grid: out += stencil(in); then in += 1 everywhere. */
static void sweep(struct grid *g, const double *weight)
{
    int r = g->radius;
    int x_from = g->x0 < r ? (int)(r - g->x0) : 0, y_from = g->y0 < r ? (int)(r - g->y0) : 0;
    int x_to = g->x0 + g->nx > g->n - r ? (int)(g->n - r - g->x0) : g->nx;
    int y_to = g->y0 + g->ny > g->n - r ? (int)(g->n - r - g->y0) : g->ny;
    for (int y = y_from; y < y_to; y++) {
        const double *in = at(g, g->in, 0, y);
        double *out = at(g, g->out, 0, y);
        switch (r) {
        case 2: sweep_row(in, out, g->pitch, x_from, x_to, weight, 2); break;
        case 3: sweep_row(in, out, g->pitch, x_from, x_to, weight, 3); break;
        default: sweep_row(in, out, g->pitch, x_from, x_to, weight, 4); break;
        }
    }
    for (int y = 0; y < g->ny; y++) {
        double *restrict in = at(g, g->in, 0, y);
        for (int x = 0; x < g->nx; x++)
            in[x] += 1;
    }
}

/* The mean of `out` over the inner points must be twice the number of sweeps. */
static int verify(struct grid *g, MPI_Comm comm, int sweeps)
{
    double sum = 0, total, inner = (double)(g->n - 2 * g->radius) * (g->n - 2 * g->radius);
    for (int y = 0; y < g->ny; y++)
        for (int x = 0; x < g->nx; x++)
            sum += *at(g, g->out, x, y);
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, comm);
    return fabs(total / inner - 2.0 * sweeps) < 1e-6;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    long n = measure_argument(argc, argv, 1, 1000, 20);
    int iterations = (int)measure_argument(argc, argv, 2, 10, 1);
    int radius = (int)measure_argument(argc, argv, 3, 2, 2);
    double weight[5] = {0};
    if (radius > 4) {
        fprintf(stderr, "radius %d is larger than 4\n", radius);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int k = 1; k <= radius; k++)
        weight[k] = 1.0 / (2.0 * k * radius);

    int size, dims[2] = {0, 0}, periods[2] = {0, 0};
    MPI_Comm comm;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);

    struct grid g;
    struct exchange e;
    grid_create(&g, comm, n, radius);
    exchange_create(&e, &g, comm);

    MPI_Barrier(comm);
    double begin = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        exchange_halos(&e, &g);
        sweep(&g, weight);
    }
    double seconds = MPI_Wtime() - begin;

    int status = measure_report("stencil-star", seconds, iterations, (double)e.bytes, verify(&g, comm, iterations));
    for (int side = 0; side < SIDES; side++)
        free(e.edge[side]);
    free(g.in);
    free(g.out);
    MPI_Win_free(&e.win);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return status;
}
