/* Breadth-first search by levels. The first to write a vertex's parent (compare and swap) appends it to the queue of
 * its owner: a slot is reserved with fetch and add, the vertex is put there. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* A queue in window memory: word 0 is its length. */
struct queues {
    MPI_Win window;
    vertex *memory;
    MPI_Aint stride; /* words of one queue; there are two */
};

static vertex *queue_of(struct queues *q, int which)
{
    return q->memory + which * q->stride;
}

static void queues_create(struct queues *q, const struct graph *g)
{
    q->stride = g->each + 1;
    MPI_Win_allocate(lines(2 * (size_t)q->stride, sizeof(vertex)), sizeof(vertex), MPI_INFO_NULL, g->comm, &q->memory,
                     &q->window);
    MPI_Win_set_name(q->window, "queues");
    MPI_Win_lock_all(0, q->window);
    queue_of(q, 0)[0] = 0;
    queue_of(q, 1)[0] = 0;
    MPI_Win_sync(q->window);
}

static void append(struct queues *q, int which, int rank, const vertex *local)
{
    vertex one = 1, slot;
    MPI_Aint base = which * q->stride;
    MPI_Fetch_and_op(&one, &slot, VERTEX, rank, base, MPI_SUM, q->window);
    MPI_Win_flush(rank, q->window);
    MPI_Put(local, 1, VERTEX, rank, base + 1 + (MPI_Aint)slot, 1, VERTEX, q->window);
}

static void queues_free(struct queues *q)
{
    MPI_Win_unlock_all(q->window);
    MPI_Win_free(&q->window);
}

/* Tries to become the parent of a vertex. */
static int claim(const struct graph *g, MPI_Win parents, vertex v, vertex parent)
{
    vertex nobody = NOBODY, before;
    int r = owner(g, v);
    MPI_Compare_and_swap(&parent, &nobody, &before, VERTEX, r, (MPI_Aint)place(g, v), parents);
    MPI_Win_flush(r, parents);
    return before == NOBODY;
}

struct search breadth_first(const struct graph *g, vertex root, vertex *parent)
{
    struct search s = {0, 0, 0, 0.0};
    struct queues q;
    MPI_Win parents;
    vertex *tree;
    char *known = need((size_t)g->vertices, 1); /* vertices that this rank need not ask about again */
    double begin = MPI_Wtime();

    MPI_Win_allocate(lines((size_t)g->local, sizeof(vertex)), sizeof(vertex),
                     MPI_INFO_NULL, g->comm, &tree, &parents);
    MPI_Win_set_name(parents, "parents");
    MPI_Win_lock_all(0, parents);
    for (vertex v = 0; v < g->local; v++) tree[v] = NOBODY;
    queues_create(&q, g);
    if (owner(g, root) == g->rank) {
        tree[place(g, root)] = root;
        queue_of(&q, 0)[0] = 1;
        queue_of(&q, 0)[1] = root;
    }
    MPI_Win_sync(parents);
    MPI_Win_sync(q.window);
    MPI_Barrier(g->comm);

    int current = 0;
    vertex waiting = 1;
    while (waiting > 0) {
        vertex *front = queue_of(&q, current);
        vertex length = front[0];
        vertex *sent = need((size_t)g->vertices, sizeof *sent); /* origins of puts, unchanged until the flush */
        size_t puts = 0;
        for (vertex i = 0; i < length; i++) {
            vertex u = front[1 + i];
            vertex row = place(g, u);
            for (vertex e = g->begin[row]; e < g->begin[row + 1]; e++) {
                vertex v = g->to[e];
                if (known[v]) continue;
                known[v] = 1;
                if (!claim(g, parents, v, u)) continue;
                sent[puts] = v;
                append(&q, 1 - current, owner(g, v), &sent[puts]);
                puts++;
            }
        }
        s.reached += length;
        MPI_Win_flush_all(q.window);
        MPI_Barrier(g->comm);
        free(sent);
        MPI_Win_sync(q.window);
        front[0] = 0; /* it is appended to in the level after the next */
        current = 1 - current;
        vertex mine = queue_of(&q, current)[0];
        MPI_Win_sync(q.window);
        MPI_Allreduce(&mine, &waiting, 1, VERTEX, MPI_SUM, g->comm);
        if (waiting > 0) s.levels++;
    }
    MPI_Win_sync(parents);
    memcpy(parent, tree, (size_t)g->local * sizeof *parent);
    queues_free(&q);
    MPI_Win_unlock_all(parents);
    MPI_Win_free(&parents);
    free(known);
    vertex reached = s.reached;
    MPI_Allreduce(&reached, &s.reached, 1, VERTEX, MPI_SUM, g->comm);
    s.seconds = MPI_Wtime() - begin;
    return s;
}

/* Levels by following parents: in each round, vertices ask for the levels of their parents with gets in a shared lock.
 * A vertex whose parent's level is still unknown asks again. */
void levels_from_parents(const struct graph *g, vertex root, const vertex *parent, vertex *level)
{
    MPI_Win window;
    vertex *exposed;
    vertex *answers = need((size_t)g->local, sizeof *answers);
    MPI_Win_allocate(lines((size_t)g->local, sizeof(vertex)), sizeof(vertex),
                     MPI_INFO_NULL, g->comm, &exposed, &window);
    MPI_Win_set_name(window, "levels");
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, g->rank, 0, window);
    for (vertex v = 0; v < g->local; v++) exposed[v] = g->first + v == root ? 0 : NOBODY;
    MPI_Win_unlock(g->rank, window);
    int more = 1;
    while (more) {
        MPI_Barrier(g->comm);
        for (int r = 0; r < g->ranks; r++) {
            MPI_Win_lock(MPI_LOCK_SHARED, r, 0, window);
            for (vertex v = 0; v < g->local; v++)
                if (parent[v] != NOBODY && owner(g, parent[v]) == r)
                    MPI_Get(&answers[v], 1, VERTEX, r, (MPI_Aint)place(g, parent[v]), 1, VERTEX, window);
            MPI_Win_unlock(r, window);
        }
        MPI_Barrier(g->comm);
        int changed = 0;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, g->rank, 0, window);
        for (vertex v = 0; v < g->local; v++)
            if (parent[v] != NOBODY && exposed[v] == NOBODY && answers[v] != NOBODY) {
                exposed[v] = answers[v] + 1;
                changed = 1;
            }
        memcpy(level, exposed, (size_t)g->local * sizeof *level);
        MPI_Win_unlock(g->rank, window);
        MPI_Allreduce(&changed, &more, 1, MPI_INT, MPI_LOR, g->comm);
    }
    MPI_Win_free(&window);
    free(answers);
}

/* Counts what is wrong in a tree: a parent that is no neighbour, a root that is not its own parent, a vertex with a
 * parent and no level. */
vertex check_tree(const struct graph *g, vertex root, const vertex *parent, const vertex *level)
{
    vertex wrong = 0, all = 0;
    for (vertex v = 0; v < g->local; v++) {
        if (g->first + v == root) {
            if (parent[v] != root || level[v] != 0) wrong++;
            continue;
        }
        if (parent[v] == NOBODY) {
            if (level[v] != NOBODY) wrong++;
            continue;
        }
        if (level[v] < 1) wrong++;
        int found = 0;
        for (vertex e = g->begin[v]; e < g->begin[v + 1] && !found; e++) found = g->to[e] == parent[v];
        if (!found) wrong++;
    }
    MPI_Allreduce(&wrong, &all, 1, VERTEX, MPI_SUM, g->comm);
    return all;
}
