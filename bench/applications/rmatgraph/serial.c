/* The same answers from the whole graph on rank 0, by plain algorithms, and their comparison. */
#include "graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void serial_levels(const struct graph *g, vertex root, vertex *level)
{
    vertex *queue = need((size_t)g->vertices, sizeof *queue);
    vertex head = 0, tail = 0;
    for (vertex v = 0; v < g->vertices; v++) level[v] = NOBODY;
    level[root] = 0;
    queue[tail++] = root;
    while (head < tail) {
        vertex u = queue[head++];
        for (vertex e = g->begin[u]; e < g->begin[u + 1]; e++) {
            vertex v = g->to[e];
            if (level[v] != NOBODY) continue;
            level[v] = level[u] + 1;
            queue[tail++] = v;
        }
    }
    free(queue);
}

static void serial_ranks(const struct graph *g, const struct options *o, double *score)
{
    double *next = need((size_t)g->vertices, sizeof *next), change;
    int iterations = 0;
    for (vertex v = 0; v < g->vertices; v++) score[v] = 1.0 / (double)g->vertices;
    do {
        double dangling = 0.0;
        change = 0.0;
        memset(next, 0, (size_t)g->vertices * sizeof *next);
        for (vertex v = 0; v < g->vertices; v++) {
            vertex degree = g->begin[v + 1] - g->begin[v];
            if (degree == 0) dangling += score[v];
            for (vertex e = g->begin[v]; e < g->begin[v + 1]; e++) next[g->to[e]] += score[v] / (double)degree;
        }
        for (vertex v = 0; v < g->vertices; v++) {
            double value = (1.0 - o->damping + o->damping * dangling) / (double)g->vertices + o->damping * next[v];
            change += fabs(value - score[v]);
            score[v] = value;
        }
        iterations++;
    } while (iterations < o->iterations && change > o->tolerance);
    free(next);
}

static vertex root_of(vertex *tree, vertex v)
{
    while (tree[v] != v) {
        tree[v] = tree[tree[v]];
        v = tree[v];
    }
    return v;
}

static void serial_labels(const struct graph *g, vertex *label)
{
    for (vertex v = 0; v < g->vertices; v++) label[v] = v;
    for (vertex v = 0; v < g->vertices; v++)
        for (vertex e = g->begin[v]; e < g->begin[v + 1]; e++) {
            vertex a = root_of(label, v), b = root_of(label, g->to[e]);
            if (a < b)
                label[b] = a;
            else
                label[a] = b;
        }
    for (vertex v = 0; v < g->vertices; v++) label[v] = root_of(label, v);
}

static vertex serial_triangles(const struct graph *g)
{
    char *mark = need((size_t)g->vertices, 1);
    vertex found = 0;
    for (vertex u = 0; u < g->vertices; u++) {
        for (vertex e = g->begin[u]; e < g->begin[u + 1]; e++) mark[g->to[e]] = 1;
        for (vertex e = g->begin[u]; e < g->begin[u + 1]; e++) {
            vertex v = g->to[e];
            if (v < u) continue;
            for (vertex f = g->begin[v]; f < g->begin[v + 1]; f++)
                if (g->to[f] > v && mark[g->to[f]]) found++;
        }
        for (vertex e = g->begin[u]; e < g->begin[u + 1]; e++) mark[g->to[e]] = 0;
    }
    free(mark);
    return found;
}

static void gather(const struct graph *g, const void *mine, MPI_Datatype type, void *all)
{
    int *counts = need((size_t)g->ranks, sizeof *counts), *places = need((size_t)g->ranks, sizeof *places);
    int local = (int)g->local;
    MPI_Gather(&local, 1, MPI_INT, counts, 1, MPI_INT, 0, g->comm);
    for (int r = 1; r < g->ranks; r++) places[r] = places[r - 1] + counts[r - 1];
    MPI_Gatherv(mine, local, type, all, counts, places, type, 0, g->comm);
    free(counts);
    free(places);
}

/* Bits of what differs: 1 edges, 2 levels, 4 ranks, 8 components, 16 triangles. Results that are NULL or negative were
 * not asked for. The same on all ranks. */
int verify(const struct graph *g, const struct options *o, vertex root, const vertex *level, const double *score,
           const vertex *label, vertex triangle_count)
{
    int bad = 0;
    vertex edges = 0;
    vertex *all_levels = need((size_t)g->vertices, sizeof *all_levels);
    vertex *all_labels = need((size_t)g->vertices, sizeof *all_labels);
    double *all_scores = need((size_t)g->vertices, sizeof *all_scores);
    MPI_Reduce(&g->edges, &edges, 1, VERTEX, MPI_SUM, 0, g->comm);
    if (level != NULL) gather(g, level, VERTEX, all_levels);
    if (score != NULL) gather(g, score, MPI_DOUBLE, all_scores);
    if (label != NULL) gather(g, label, VERTEX, all_labels);
    struct graph whole;
    if (g->rank == 0 && serial_graph(&whole, o) == 0) {
        vertex *other = need((size_t)g->vertices, sizeof *other);
        double *ranks = need((size_t)g->vertices, sizeof *ranks);
        if (whole.edges != edges) bad |= 1;
        if (level != NULL) {
            serial_levels(&whole, root, other);
            if (memcmp(other, all_levels, (size_t)g->vertices * sizeof *other) != 0) bad |= 2;
        }
        if (score != NULL) {
            serial_ranks(&whole, o, ranks);
            for (vertex v = 0; v < g->vertices; v++)
                if (!(fabs(ranks[v] - all_scores[v]) < 1e-12)) bad |= 4;
        }
        if (label != NULL) {
            serial_labels(&whole, other);
            if (memcmp(other, all_labels, (size_t)g->vertices * sizeof *other) != 0) bad |= 8;
        }
        if (triangle_count >= 0 && serial_triangles(&whole) != triangle_count) bad |= 16;
        free(other);
        free(ranks);
        graph_free(&whole);
    }
    free(all_levels);
    free(all_labels);
    free(all_scores);
    MPI_Bcast(&bad, 1, MPI_INT, 0, g->comm);
    return bad;
}
