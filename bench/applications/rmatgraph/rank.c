/* Page rank: contributions are accumulated into the owners' windows. */
#include "graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct contributions {
    double *sum;        /* a range of vertices for each owner: what this rank gives them */
    MPI_Request *request;
    double *one;        /* a value an edge: origins of accumulates */
};

/* One accumulate an owner: contributions are summed here before. */
static void scatter_dense(const struct graph *g, const double *share, struct contributions *c, MPI_Win window)
{
    memset(c->sum, 0, (size_t)g->each * (size_t)g->ranks * sizeof *c->sum);
    for (vertex v = 0; v < g->local; v++)
        for (vertex e = g->begin[v]; e < g->begin[v + 1]; e++) c->sum[g->to[e]] += share[v];
    for (int i = 0; i < g->ranks; i++) {
        int r = (g->rank + i) % g->ranks; /* not all at the same owner first */
        vertex count = g->vertices - g->each * r < g->each ? g->vertices - g->each * r : g->each;
        if (count <= 0) continue;
        MPI_Accumulate(c->sum + g->each * r, (int)count, MPI_DOUBLE, r, 0, (int)count, MPI_DOUBLE, MPI_SUM, window);
    }
}

/* One accumulate an edge. */
static void scatter_edges(const struct graph *g, const double *share, struct contributions *c, MPI_Win window)
{
    for (vertex v = 0; v < g->local; v++)
        for (vertex e = g->begin[v]; e < g->begin[v + 1]; e++) {
            vertex to = g->to[e];
            c->one[e] = share[v];
            MPI_Accumulate(&c->one[e], 1, MPI_DOUBLE, owner(g, to), (MPI_Aint)place(g, to), 1, MPI_DOUBLE, MPI_SUM,
                           window);
        }
}

/* As dense, with requests: the buffer of an owner is filled while others are on their way. */
static void scatter_requests(const struct graph *g, const double *share, struct contributions *c, MPI_Win window)
{
    int pending = 0;
    for (int i = 0; i < g->ranks; i++) {
        int r = (g->rank + i) % g->ranks;
        vertex low = g->each * r;
        vertex count = g->vertices - low < g->each ? g->vertices - low : g->each;
        if (count <= 0) continue;
        double *sum = c->sum + (i % 2) * g->each;
        if (i >= 2) MPI_Wait(&c->request[i - 2], MPI_STATUS_IGNORE); /* its buffer is used again */
        memset(sum, 0, (size_t)count * sizeof *sum);
        for (vertex v = 0; v < g->local; v++)
            for (vertex e = g->begin[v]; e < g->begin[v + 1]; e++)
                if (owner(g, g->to[e]) == r) sum[g->to[e] - low] += share[v];
        MPI_Raccumulate(sum, (int)count, MPI_DOUBLE, r, 0, (int)count, MPI_DOUBLE, MPI_SUM, window,
                        &c->request[i]);
        pending = i + 1;
    }
    for (int i = pending > 2 ? pending - 2 : 0; i < pending; i++) MPI_Wait(&c->request[i], MPI_STATUS_IGNORE);
}

struct ranking page_rank(const struct graph *g, const struct options *o, double *score)
{
    struct ranking out = {0, 0.0, 0.0, 0.0};
    struct contributions c;
    double *incoming, *share = need((size_t)g->local, sizeof *share);
    MPI_Win window;
    MPI_Info info;
    double begin = MPI_Wtime();

    c.sum = need((size_t)g->each * (size_t)g->ranks, sizeof *c.sum);
    c.request = need((size_t)g->ranks, sizeof *c.request);
    for (int r = 0; r < g->ranks; r++) c.request[r] = MPI_REQUEST_NULL;
    c.one = need((size_t)g->edges, sizeof *c.one);
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", "none");
    MPI_Info_set(info, "accumulate_ops", "same_op");
    MPI_Win_allocate(lines((size_t)g->local, sizeof(double)), sizeof(double), info,
                     g->comm, &incoming, &window);
    MPI_Info_free(&info);
    MPI_Win_set_name(window, "contributions");
    MPI_Win_lock_all(0, window);
    for (vertex v = 0; v < g->local; v++) score[v] = 1.0 / (double)g->vertices;
    do {
        double mine[2] = {0.0, 0.0}, sums[2], change = 0.0;
        for (vertex v = 0; v < g->local; v++) {
            vertex degree = g->begin[v + 1] - g->begin[v];
            incoming[v] = 0.0;
            share[v] = degree > 0 ? score[v] / (double)degree : 0.0;
            if (degree == 0) mine[0] += score[v];
        }
        MPI_Win_sync(window);
        /* Nobody accumulates before every window is zero: the sum of the dangling vertices is the barrier. */
        MPI_Allreduce(&mine[0], &sums[0], 1, MPI_DOUBLE, MPI_SUM, g->comm);
        switch (o->scatter) {
        case 1: scatter_edges(g, share, &c, window); break;
        case 2: scatter_requests(g, share, &c, window); break;
        default: scatter_dense(g, share, &c, window); break;
        }
        MPI_Win_flush_all(window);
        MPI_Barrier(g->comm);
        MPI_Win_sync(window);
        double base = (1.0 - o->damping + o->damping * sums[0]) / (double)g->vertices;
        mine[0] = 0.0;
        for (vertex v = 0; v < g->local; v++) {
            double next = base + o->damping * incoming[v];
            change += fabs(next - score[v]);
            score[v] = next;
            mine[0] += next;
        }
        mine[1] = change;
        MPI_Allreduce(mine, sums, 2, MPI_DOUBLE, MPI_SUM, g->comm);
        out.sum = sums[0];
        out.change = sums[1];
        out.iterations++;
    } while (out.iterations < o->iterations && out.change > o->tolerance);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    free(share);
    free(c.sum);
    free(c.request);
    free(c.one);
    out.seconds = MPI_Wtime() - begin;
    return out;
}
