/* Connected components: labels are lowered with accumulates of MPI_MIN until nothing changes. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* Returns the number of components; `label` holds the smallest vertex of each vertex's component. */
vertex components(const struct graph *g, vertex *label, int *rounds)
{
    MPI_Win window;
    vertex *exposed;
    vertex *sent = need((size_t)g->local, sizeof *sent);
    char *active = need((size_t)g->local, 1);
    int more = 1;
    MPI_Win_allocate(lines((size_t)g->local, sizeof(vertex)), sizeof(vertex),
                     MPI_INFO_NULL, g->comm, &exposed, &window);
    MPI_Win_set_name(window, "labels");
    MPI_Win_lock_all(0, window);
    for (vertex v = 0; v < g->local; v++) {
        label[v] = g->first + v;
        exposed[v] = label[v];
        active[v] = 1;
    }
    MPI_Win_sync(window);
    *rounds = 0;
    while (more) {
        memcpy(sent, label, (size_t)g->local * sizeof *sent);
        MPI_Barrier(g->comm);
        for (vertex v = 0; v < g->local; v++) {
            if (!active[v]) continue;
            for (vertex e = g->begin[v]; e < g->begin[v + 1]; e++) {
                vertex to = g->to[e];
                if (to > sent[v]) /* a smaller vertex has a smaller label already */
                    MPI_Accumulate(&sent[v], 1, VERTEX, owner(g, to), (MPI_Aint)place(g, to), 1, VERTEX, MPI_MIN,
                                   window);
            }
        }
        MPI_Win_flush_all(window);
        MPI_Barrier(g->comm);
        MPI_Win_sync(window);
        int changed = 0;
        for (vertex v = 0; v < g->local; v++) {
            active[v] = exposed[v] < label[v];
            if (active[v]) {
                label[v] = exposed[v];
                changed = 1;
            }
        }
        MPI_Allreduce(&changed, &more, 1, MPI_INT, MPI_LOR, g->comm);
        (*rounds)++;
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    free(sent);
    free(active);
    vertex mine = 0, all = 0;
    for (vertex v = 0; v < g->local; v++)
        if (label[v] == g->first + v) mine++;
    MPI_Allreduce(&mine, &all, 1, VERTEX, MPI_SUM, g->comm);
    return all;
}
