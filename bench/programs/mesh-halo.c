/* Relaxation on an unstructured mesh: index lists everywhere, halo exchange by lock_all, put and flush.
 *
 * Each rank owns vertices in a scrambled order and the edges among them; a set of boundary vertices is joined to those
 * of the next rank. Values of boundary vertices are packed through an index list, put into the neighbour's ghost
 * window and flushed. The flux over an edge is computed by both owners, so the sum of all values must not change.
 *
 * Usage: mesh-halo VERTICES BOUNDARY ITERATIONS     (per rank; BOUNDARY vertices on each of two sides) */
#include "measure.h"
#include <math.h>

enum { LEFT, RIGHT, SIDES, DEGREE = 3 };

struct mesh {
    int vertices, boundary, edges, cut_edges;
    int *from, *to;         /* inner edges, by vertex number */
    int *send[SIDES];       /* boundary vertices, in the order in which the neighbour expects them */
    int *cut_from, *cut_ghost;  /* edges to ghosts: own vertex, ghost number */
    double *value, *flux;
};

struct ghosts {
    int rank, neighbor[SIDES];
    double *memory;         /* the window: LEFT ghosts, then RIGHT ghosts */
    double *packed[SIDES];
    MPI_Win win;
};

/* A small generator of pseudo-random numbers (xorshift), so that every run and every rank sees the same mesh. */
static unsigned next_random(unsigned *state)
{
    unsigned x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

static int *integers(size_t count)
{
    int *memory = malloc(count * sizeof(int));
    if (!memory)
        MPI_Abort(MPI_COMM_WORLD, 2);
    return memory;
}

static void mesh_create(struct mesh *m, int vertices, int boundary, int rank)
{
    unsigned state = 2463534242u;
    int *number = integers(vertices);
    m->vertices = vertices;
    m->boundary = boundary;
    for (int v = 0; v < vertices; v++)
        number[v] = v;
    for (int v = vertices - 1; v > 0; v--) {
        /* Scrambled only near by, as a bandwidth-reducing order leaves it. */
        int other = v - (int)(next_random(&state) % (v < 64 ? v + 1 : 64));
        int swap = number[v];
        number[v] = number[other];
        number[other] = swap;
    }
    m->edges = 0;
    m->from = integers((size_t)vertices * DEGREE);
    m->to = integers((size_t)vertices * DEGREE);
    for (int v = 0; v < vertices; v++) {
        int reach[DEGREE] = {1, 17, 1 + (int)(next_random(&state) % 200)};
        for (int k = 0; k < DEGREE; k++)
            if (v + reach[k] < vertices) {
                m->from[m->edges] = number[v];
                m->to[m->edges++] = number[v + reach[k]];
            }
    }
    for (int side = 0; side < SIDES; side++) {
        m->send[side] = integers(boundary);
        for (int i = 0; i < boundary; i++)
            m->send[side][i] = number[side == LEFT ? i : vertices - 1 - i];
    }
    /* Boundary vertex i is joined to vertices i and i + 1 of the boundary beyond, in both directions of view. */
    m->cut_edges = 0;
    m->cut_from = integers(4 * (size_t)boundary);
    m->cut_ghost = integers(4 * (size_t)boundary);
    for (int side = 0; side < SIDES; side++)
        for (int i = 0; i < boundary; i++) {
            int beyond = side == RIGHT ? (i + 1) % boundary : (i + boundary - 1) % boundary;
            int ghosts[2] = {i, beyond};
            for (int k = 0; k < 2; k++) {
                m->cut_from[m->cut_edges] = m->send[side][i];
                m->cut_ghost[m->cut_edges++] = side * boundary + ghosts[k];
            }
        }
    m->value = measure_doubles(vertices);
    m->flux = measure_doubles(vertices);
    for (int v = 0; v < vertices; v++)
        m->value[number[v]] = rank + (double)v / vertices;
    free(number);
}

static void ghosts_create(struct ghosts *g, int boundary)
{
    int size;
    MPI_Comm_rank(MPI_COMM_WORLD, &g->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    g->neighbor[LEFT] = (g->rank + size - 1) % size;
    g->neighbor[RIGHT] = (g->rank + 1) % size;
    MPI_Win_allocate((MPI_Aint)sizeof(double) * boundary * SIDES, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &g->memory, &g->win);
    MPI_Win_set_name(g->win, "ghost values");
    for (int side = 0; side < SIDES; side++)
        g->packed[side] = measure_doubles(boundary);
}

/* What I put to the left fills that neighbour's RIGHT ghosts, and the other way round. */
static void exchange(struct mesh *m, struct ghosts *g)
{
    for (int side = 0; side < SIDES; side++) {
        for (int i = 0; i < m->boundary; i++)
            g->packed[side][i] = m->value[m->send[side][i]];
        MPI_Aint place = side == LEFT ? m->boundary : 0;
        MPI_Put(g->packed[side], m->boundary, MPI_DOUBLE, g->neighbor[side], place, m->boundary, MPI_DOUBLE, g->win);
    }
    for (int side = 0; side < SIDES; side++)
        MPI_Win_flush(g->neighbor[side], g->win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(g->win);
}

static void relax(struct mesh *m, const double *ghost)
{
    const double rate = 0.05;
    double *value = m->value, *flux = m->flux;
    for (int e = 0; e < m->edges; e++) {
        double f = rate * (value[m->to[e]] - value[m->from[e]]);
        flux[m->from[e]] += f;
        flux[m->to[e]] -= f;
    }
    for (int e = 0; e < m->cut_edges; e++)
        flux[m->cut_from[e]] += rate * (ghost[m->cut_ghost[e]] - value[m->cut_from[e]]);
    for (int v = 0; v < m->vertices; v++) {
        value[v] += flux[v];
        flux[v] = 0;
    }
}

/* The sum over all ranks, and how far apart the extreme values are. */
static double total(struct mesh *m, double *spread)
{
    double sum = 0, all, low = m->value[0], high = m->value[0], ends[2], most[2];
    for (int v = 0; v < m->vertices; v++) {
        sum += m->value[v];
        low = m->value[v] < low ? m->value[v] : low;
        high = m->value[v] > high ? m->value[v] : high;
    }
    ends[0] = -low;
    ends[1] = high;
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(ends, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    *spread = most[0] + most[1];
    return all;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int vertices = (int)measure_argument(argc, argv, 1, 20000, 256);
    int boundary = (int)measure_argument(argc, argv, 2, 200, 1);
    int iterations = (int)measure_argument(argc, argv, 3, 20, 1);

    struct mesh m;
    struct ghosts g;
    ghosts_create(&g, boundary);
    mesh_create(&m, vertices, boundary, g.rank);
    double spread_before, spread_after, before = total(&m, &spread_before);

    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    MPI_Win_lock_all(0, g.win);
    for (int i = 0; i < iterations; i++) {
        exchange(&m, &g);
        relax(&m, g.memory);
        /* Nobody may put into my ghosts before I have read them. */
        MPI_Win_sync(g.win);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(g.win);
    double seconds = MPI_Wtime() - begin;

    double after = total(&m, &spread_after);
    int verified = fabs(after - before) < 1e-9 * fabs(before) && spread_after < spread_before;
    int status = measure_report("mesh-halo", seconds, iterations, (double)sizeof(double) * boundary * SIDES, verified);
    MPI_Win_free(&g.win);
    MPI_Finalize();
    return status;
}
