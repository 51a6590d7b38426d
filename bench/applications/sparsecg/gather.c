/* Ghost entries of vectors, by general active target synchronisation among neighbours. */
#include "sparse.h"

#include <stdlib.h>
#include <string.h>

/* Neighbours are the owners of my ghosts, and those whose ghosts I own. With a pattern that is not symmetric a rank may
 * only send or only receive; it is in both groups all the same. */
static void find_neighbours(struct gather *g)
{
    const struct matrix *a = g->matrix;
    const struct layout *l = a->layout;
    int *needs = xmalloc((size_t)l->ranks * sizeof *needs);
    int *wanted = xmalloc((size_t)l->ranks * sizeof *wanted);
    memset(needs, 0, (size_t)l->ranks * sizeof *needs);
    for (int i = 0; i < a->ghosts; i++) needs[layout_owner(l, a->ghost[i])]++;
    MPI_Alltoall(needs, 1, MPI_INT, wanted, 1, MPI_INT, l->comm);
    g->neighbours = 0;
    for (int r = 0; r < l->ranks; r++)
        if (needs[r] > 0 || wanted[r] > 0) g->neighbours++;
    g->neighbour = xmalloc((size_t)g->neighbours * sizeof *g->neighbour);
    int n = 0, begin = 0;
    for (int r = 0; r < l->ranks; r++) {
        if (needs[r] == 0 && wanted[r] == 0) continue;
        struct neighbour *p = &g->neighbour[n++];
        memset(p, 0, sizeof *p);
        p->rank = r;
        p->begin = begin;
        p->count = needs[r];
        p->sends = wanted[r];
        p->send = xmalloc((size_t)p->sends * sizeof *p->send);
        p->packed = xmalloc((size_t)p->sends * sizeof *p->packed);
        p->remote = MPI_DATATYPE_NULL;
        begin += needs[r];
    }
    free(needs);
    free(wanted);
}

/* Tells neighbours which of their rows are wanted, and where in my ghost window they go. */
static void exchange_lists(struct gather *g)
{
    const struct matrix *a = g->matrix;
    const struct layout *l = a->layout;
    int n = g->neighbours;
    MPI_Request *requests = xmalloc(4 * (size_t)n * sizeof *requests);
    long **incoming = xmalloc((size_t)n * sizeof *incoming);
    MPI_Aint *begins = xmalloc((size_t)n * sizeof *begins);
    int pending = 0;
    for (int i = 0; i < n; i++) {
        struct neighbour *p = &g->neighbour[i];
        incoming[i] = xmalloc((size_t)p->sends * sizeof **incoming);
        begins[i] = p->begin;
        MPI_Irecv(incoming[i], p->sends, MPI_LONG, p->rank, 1, l->comm, &requests[pending++]);
        MPI_Irecv(&p->displacement, 1, MPI_AINT, p->rank, 2, l->comm, &requests[pending++]);
        MPI_Isend(a->ghost + p->begin, p->count, MPI_LONG, p->rank, 1, l->comm, &requests[pending++]);
        MPI_Isend(&begins[i], 1, MPI_AINT, p->rank, 2, l->comm, &requests[pending++]);
    }
    MPI_Status *statuses = xmalloc(4 * (size_t)n * sizeof *statuses);
    MPI_Waitall(pending, requests, statuses);
    free(statuses);
    for (int i = 0; i < n; i++) {
        struct neighbour *p = &g->neighbour[i];
        for (int j = 0; j < p->sends; j++) p->send[j] = (int)(incoming[i][j] - l->start[l->rank]);
        free(incoming[i]);
    }
    free(begins);
    free(incoming);
    free(requests);
}

/* Pull: the rows wanted from a neighbour as an indexed type over its copy of the vector. */
static void make_types(struct gather *g)
{
    const struct matrix *a = g->matrix;
    const struct layout *l = a->layout;
    for (int i = 0; i < g->neighbours; i++) {
        struct neighbour *p = &g->neighbour[i];
        if (p->count == 0) continue;
        int *places = xmalloc((size_t)p->count * sizeof *places);
        for (int j = 0; j < p->count; j++) places[j] = (int)(a->ghost[p->begin + j] - l->start[p->rank]);
        MPI_Type_create_indexed_block(p->count, 1, places, MPI_DOUBLE, &p->remote);
        MPI_Type_commit(&p->remote);
        free(places);
    }
}

void gather_create(struct gather *g, const struct matrix *a, enum way way)
{
    const struct layout *l = a->layout;
    memset(g, 0, sizeof *g);
    g->way = way;
    g->matrix = a;
    find_neighbours(g);
    exchange_lists(g);
    MPI_Group all;
    int *ranks = xmalloc((size_t)g->neighbours * sizeof *ranks);
    for (int i = 0; i < g->neighbours; i++) ranks[i] = g->neighbour[i].rank;
    MPI_Comm_group(l->comm, &all);
    MPI_Group_incl(all, g->neighbours, ranks, &g->group);
    MPI_Group_free(&all);
    free(ranks);
    int entries = way == WAY_PUSH ? a->ghosts : l->local;
    MPI_Aint bytes = (MPI_Aint)entries * (MPI_Aint)sizeof(double);
    MPI_Alloc_mem(bytes > 0 ? bytes : (MPI_Aint)sizeof(double), MPI_INFO_NULL, &g->exposed);
    MPI_Win_create(g->exposed, bytes, sizeof(double), MPI_INFO_NULL, l->comm, &g->window);
    MPI_Win_set_name(g->window, way == WAY_PUSH ? "ghost entries" : "owned entries");
    if (way == WAY_PUSH) {
        g->ghost = g->exposed;
    } else {
        g->ghost = xmalloc((size_t)a->ghosts * sizeof *g->ghost);
        make_types(g);
    }
}

/* Starts the exchange of the entries of `x` that neighbours need. `x` may be read, not written, until gather_end. */
void gather_begin(struct gather *g, const double *x)
{
    const struct layout *l = g->matrix->layout;
    if (g->way == WAY_PULL) memcpy(g->exposed, x, (size_t)l->local * sizeof *x);
    MPI_Win_post(g->group, 0, g->window);
    MPI_Win_start(g->group, 0, g->window);
    for (int i = 0; i < g->neighbours; i++) {
        struct neighbour *p = &g->neighbour[i];
        if (g->way == WAY_PUSH) {
            if (p->sends == 0) continue;
            for (int j = 0; j < p->sends; j++) p->packed[j] = x[p->send[j]];
            MPI_Put(p->packed, p->sends, MPI_DOUBLE, p->rank, p->displacement, p->sends, MPI_DOUBLE, g->window);
            g->bytes += p->sends * (long)sizeof(double);
        } else {
            if (p->count == 0) continue;
            MPI_Get(g->ghost + p->begin, p->count, MPI_DOUBLE, p->rank, 0, 1, p->remote, g->window);
            g->bytes += p->count * (long)sizeof(double);
        }
    }
}

void gather_end(struct gather *g)
{
    MPI_Win_complete(g->window);
    MPI_Win_wait(g->window);
    g->exchanges++;
}

void gather_free(struct gather *g)
{
    for (int i = 0; i < g->neighbours; i++) {
        struct neighbour *p = &g->neighbour[i];
        free(p->send);
        free(p->packed);
        if (p->remote != MPI_DATATYPE_NULL) MPI_Type_free(&p->remote);
    }
    free(g->neighbour);
    MPI_Win_free(&g->window);
    MPI_Free_mem(g->exposed);
    if (g->way == WAY_PULL) free(g->ghost);
    MPI_Group_free(&g->group);
}
