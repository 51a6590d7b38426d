/* Triangles: the neighbour lists of vertices elsewhere are fetched with request-based gets, two ahead. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#define AHEAD 2

struct fetch {
    vertex who;
    vertex bounds[2];
    vertex *list;
    MPI_Request request;
    int stage; /* 0 idle, 1 its bounds are on the way, 2 its list is */
};

static vertex common(const vertex *a, const vertex *a_end, const vertex *b, const vertex *b_end, vertex above)
{
    vertex found = 0;
    while (a < a_end && b < b_end) {
        if (*a < *b) {
            a++;
        } else if (*b < *a) {
            b++;
        } else {
            if (*a > above) found++;
            a++;
            b++;
        }
    }
    return found;
}

static int by_number(const void *a, const void *b)
{
    vertex x = *(const vertex *)a, y = *(const vertex *)b;
    return (x > y) - (x < y);
}

/* Neighbours elsewhere of local vertices, above them: whose lists are needed. */
static size_t wanted(const struct graph *g, vertex *list)
{
    size_t count = 0, kept = 0;
    for (vertex v = 0; v < g->local; v++)
        for (vertex e = g->begin[v]; e < g->begin[v + 1]; e++)
            if (g->to[e] > g->first + v && owner(g, g->to[e]) != g->rank) list[count++] = g->to[e];
    qsort(list, count, sizeof *list, by_number);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || list[kept - 1] != list[i]) list[kept++] = list[i];
    return kept;
}

/* Triangles u < v < w with v's list in hand, for all local u. */
static vertex close_triangles(const struct graph *g, vertex v, const vertex *list, const vertex *end)
{
    vertex found = 0;
    for (const vertex *u = list; u < end && *u < v; u++) {
        if (owner(g, *u) != g->rank) continue;
        vertex row = place(g, *u);
        found += common(g->to + g->begin[row], g->to + g->begin[row + 1], list, end, v);
    }
    return found;
}

static void begin_fetch(const struct graph *g, struct fetch *f, vertex who, MPI_Win begins)
{
    f->who = who;
    f->stage = 1;
    MPI_Rget(f->bounds, 2, VERTEX, owner(g, who), (MPI_Aint)place(g, who), 2, VERTEX, begins, &f->request);
}

static void continue_fetch(const struct graph *g, struct fetch *f, MPI_Win lists)
{
    MPI_Wait(&f->request, MPI_STATUS_IGNORE);
    vertex count = f->bounds[1] - f->bounds[0];
    f->list = need((size_t)count, sizeof *f->list);
    f->stage = 2;
    MPI_Rget(f->list, (int)count, VERTEX, owner(g, f->who), (MPI_Aint)f->bounds[0], (int)count, VERTEX, lists,
             &f->request);
}

static vertex finish_fetch(const struct graph *g, struct fetch *f)
{
    MPI_Wait(&f->request, MPI_STATUS_IGNORE);
    vertex found = close_triangles(g, f->who, f->list, f->list + (f->bounds[1] - f->bounds[0]));
    free(f->list);
    f->list = NULL;
    f->stage = 0;
    return found;
}

vertex triangles(const struct graph *g, vertex *fetched)
{
    MPI_Win begins, lists;
    vertex *need_list = need((size_t)g->edges, sizeof *need_list);
    size_t count = wanted(g, need_list);
    struct fetch fetch[AHEAD];
    vertex found = 0, all = 0;
    memset(fetch, 0, sizeof fetch);
    MPI_Win_create(g->begin, (MPI_Aint)((size_t)(g->local + 1) * sizeof(vertex)), sizeof(vertex), MPI_INFO_NULL,
                   g->comm, &begins);
    MPI_Win_create(g->to, (MPI_Aint)((size_t)g->edges * sizeof(vertex)), sizeof(vertex), MPI_INFO_NULL, g->comm,
                   &lists);
    MPI_Win_set_name(begins, "begins");
    MPI_Win_set_name(lists, "neighbour lists");
    MPI_Win_lock_all(MPI_MODE_NOCHECK, begins);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, lists);
    for (size_t i = 0; i < count + AHEAD; i++) {
        struct fetch *f = &fetch[i % AHEAD];
        if (f->stage == 1) continue_fetch(g, f, lists);
        if (f->stage == 2) found += finish_fetch(g, f);
        if (i < count) begin_fetch(g, f, need_list[i], begins);
    }
    for (vertex v = 0; v < g->local; v++)
        found += close_triangles(g, g->first + v, g->to + g->begin[v], g->to + g->begin[v + 1]);
    MPI_Win_unlock_all(lists);
    MPI_Win_unlock_all(begins);
    MPI_Win_free(&lists);
    MPI_Win_free(&begins);
    free(need_list);
    *fetched = (vertex)count;
    MPI_Allreduce(&found, &all, 1, VERTEX, MPI_SUM, g->comm);
    return all;
}
