/* R-MAT graphs: every edge is a function of its number, so that any rank can make any of them. Each rank makes its
 * share and puts the edges into the inboxes of the owners of their ends. */
#include "graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void give_up(const char *why)
{
    fprintf(stderr, "rmatgraph: %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, 5);
    abort();
}

void *need(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) give_up("out of memory");
    return memory;
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static double uniform(uint64_t *state)
{
    return (double)(next_random(state) >> 11) / 9007199254740992.0;
}

struct edge rmat_edge(const struct options *o, uint64_t number)
{
    uint64_t state = o->seed * 0x2545f4914f6cdd1dULL + number * 0x9e3779b97f4a7c15ULL;
    struct edge e = {0, 0};
    next_random(&state);
    for (int bit = 0; bit < o->scale; bit++) {
        double r = uniform(&state);
        int row, column;
        if (r < o->a) {
            row = 0;
            column = 0;
        } else if (r < o->a + o->b) {
            row = 0;
            column = 1;
        } else if (r < o->a + o->b + o->c) {
            row = 1;
            column = 0;
        } else {
            row = 1;
            column = 1;
        }
        e.from = 2 * e.from + row;
        e.to = 2 * e.to + column;
    }
    /* Scatter the heavy vertices. An odd factor modulo a power of two is a permutation. */
    vertex mask = ((vertex)1 << o->scale) - 1;
    e.from = (e.from * 0x5851 + 0x11) & mask;
    e.to = (e.to * 0x5851 + 0x11) & mask;
    return e;
}

static int by_ends(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Compressed rows out of edges whose `from` lie in [first, first + local). */
static void compress(struct graph *g, struct edge *list, size_t count)
{
    qsort(list, count, sizeof *list, by_ends);
    g->begin = need((size_t)g->local + 1, sizeof *g->begin);
    g->to = need(count, sizeof *g->to);
    g->edges = 0;
    vertex row = 0;
    for (size_t i = 0; i < count; i++) {
        if (list[i].from == list[i].to) continue;
        if (i > 0 && by_ends(&list[i - 1], &list[i]) == 0) continue;
        while (row < list[i].from - g->first) g->begin[++row] = g->edges;
        g->to[g->edges++] = list[i].to;
    }
    while (row < g->local) g->begin[++row] = g->edges;
}

static void ranges(struct graph *g, const struct options *o)
{
    g->vertices = (vertex)1 << o->scale;
    g->each = (g->vertices + g->ranks - 1) / g->ranks;
    g->first = g->each * g->rank;
    g->local = g->vertices - g->first < g->each ? g->vertices - g->first : g->each;
    if (g->local < 0) g->local = 0;
}

/* The inbox: one counter window, and one of edges. A sender reserves room at the counter of the owner. */
static struct edge *deliver(const struct graph *g, struct edge *list, const vertex *outgoing, size_t *received)
{
    vertex *incoming = need((size_t)g->ranks, sizeof *incoming);
    MPI_Alltoall(outgoing, 1, VERTEX, incoming, 1, VERTEX, g->comm);
    vertex total = 0;
    for (int r = 0; r < g->ranks; r++) total += incoming[r];
    free(incoming);

    vertex *counter;
    struct edge *inbox;
    MPI_Win counters, inboxes;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, VERTEX, &pair);
    MPI_Type_commit(&pair);
    MPI_Win_allocate(lines(1, sizeof *counter), sizeof *counter, MPI_INFO_NULL, g->comm, &counter, &counters);
    MPI_Win_allocate(lines((size_t)total, sizeof *inbox), sizeof *inbox, MPI_INFO_NULL, g->comm, &inbox, &inboxes);
    MPI_Win_set_name(counters, "inbox counters");
    MPI_Win_set_name(inboxes, "inboxes");
    MPI_Win_lock_all(0, counters);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, inboxes);
    *counter = 0;
    MPI_Win_sync(counters);
    MPI_Barrier(g->comm);
    vertex from = 0;
    for (int r = 0; r < g->ranks; r++) {
        vertex reserved, count = outgoing[r];
        if (count == 0) continue;
        MPI_Fetch_and_op(&count, &reserved, VERTEX, r, 0, MPI_SUM, counters);
        MPI_Win_flush(r, counters);
        MPI_Put(list + from, (int)count, pair, r, reserved, (int)count, pair, inboxes);
        from += count;
    }
    MPI_Win_flush_all(inboxes);
    MPI_Barrier(g->comm);
    MPI_Win_sync(counters);
    MPI_Win_sync(inboxes);
    if (*counter != total) give_up("edges got lost on the way");
    struct edge *copy = need((size_t)total, sizeof *copy);
    memcpy(copy, inbox, (size_t)total * sizeof *copy);
    MPI_Win_unlock_all(inboxes);
    MPI_Win_unlock_all(counters);
    MPI_Win_free(&inboxes);
    MPI_Win_free(&counters);
    MPI_Type_free(&pair);
    *received = (size_t)total;
    return copy;
}

void graph_build(struct graph *g, const struct options *o, MPI_Comm comm)
{
    memset(g, 0, sizeof *g);
    g->comm = comm;
    MPI_Comm_rank(comm, &g->rank);
    MPI_Comm_size(comm, &g->ranks);
    ranges(g, o);
    uint64_t all = (uint64_t)o->edge_factor << o->scale;
    uint64_t low = all * (uint64_t)g->rank / (uint64_t)g->ranks;
    uint64_t high = all * ((uint64_t)g->rank + 1) / (uint64_t)g->ranks;
    size_t count = 0;
    struct edge *list = need(2 * (size_t)(high - low), sizeof *list);
    vertex *outgoing = need((size_t)g->ranks, sizeof *outgoing);
    for (uint64_t i = low; i < high; i++) {
        struct edge e = rmat_edge(o, i), back = {e.to, e.from};
        list[count++] = e;
        list[count++] = back;
    }
    qsort(list, count, sizeof *list, by_ends); /* owners have ranges: sorted by owner too */
    for (size_t i = 0; i < count; i++) outgoing[owner(g, list[i].from)]++;
    size_t received;
    struct edge *mine = deliver(g, list, outgoing, &received);
    compress(g, mine, received);
    free(mine);
    free(list);
    free(outgoing);
}

/* The whole graph on one rank, for comparison. 0 if it fits. */
int serial_graph(struct graph *g, const struct options *o)
{
    if (o->scale > 14) return -1;
    memset(g, 0, sizeof *g);
    g->comm = MPI_COMM_SELF;
    g->ranks = 1;
    ranges(g, o);
    uint64_t all = (uint64_t)o->edge_factor << o->scale;
    size_t count = 0;
    struct edge *list = need(2 * (size_t)all, sizeof *list);
    for (uint64_t i = 0; i < all; i++) {
        struct edge e = rmat_edge(o, i), back = {e.to, e.from};
        list[count++] = e;
        list[count++] = back;
    }
    compress(g, list, count);
    free(list);
    return 0;
}

void graph_free(struct graph *g)
{
    free(g->begin);
    free(g->to);
}
