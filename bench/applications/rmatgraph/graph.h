/* Graph algorithms over vertices dealt to ranks in ranges, with windows in passive target epochs. */
#ifndef GRAPH_H
#define GRAPH_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t vertex;
#define VERTEX MPI_INT64_T
#define NOBODY ((vertex)-1)

struct options {
    int scale;       /* 2^scale vertices */
    int edge_factor; /* edges a vertex */
    uint64_t seed;
    double a, b, c;  /* quadrants of R-MAT */
    int roots;       /* searches */
    int iterations;  /* of page rank, at most */
    double damping;
    double tolerance;
    int run_bfs, run_rank, run_components, run_triangles;
    int scatter;     /* page rank: 0 an accumulate an owner, 1 an accumulate an edge, 2 requests */
    int verbose;
};

struct edge {
    vertex from, to;
};

struct graph {
    MPI_Comm comm;
    int rank, ranks;
    vertex vertices; /* of all ranks */
    vertex each;     /* vertices a rank; the last may have fewer */
    vertex first;    /* of this rank */
    vertex local;
    vertex *begin;   /* local + 1: where the neighbours of a local vertex begin */
    vertex *to;      /* neighbours, ascending, without loops and repetitions */
    vertex edges;    /* local directed edges */
};

static inline int owner(const struct graph *g, vertex v)
{
    return (int)(v / g->each);
}

static inline vertex place(const struct graph *g, vertex v)
{
    return v % g->each;
}

/* Bytes of a window in whole cache lines. MPICH 4.0.2 mixes up the memory of ranks for windows of 8 bytes. */
static inline MPI_Aint lines(size_t count, size_t size)
{
    return (MPI_Aint)((count * size / 64 + 1) * 64);
}

void *need(size_t count, size_t size);
void give_up(const char *why) __attribute__((noreturn));

/* rmat.c */
struct edge rmat_edge(const struct options *o, uint64_t number);
void graph_build(struct graph *g, const struct options *o, MPI_Comm comm);
void graph_free(struct graph *g);
int serial_graph(struct graph *g, const struct options *o);

/* bfs.c */
struct search {
    vertex reached;
    int levels;
    vertex wrong;
    double seconds;
};
struct search breadth_first(const struct graph *g, vertex root, vertex *parent);
vertex check_tree(const struct graph *g, vertex root, const vertex *parent, const vertex *level);
void levels_from_parents(const struct graph *g, vertex root, const vertex *parent, vertex *level);

/* rank.c */
struct ranking {
    int iterations;
    double sum, change;
    double seconds;
};
struct ranking page_rank(const struct graph *g, const struct options *o, double *score);

/* components.c */
vertex components(const struct graph *g, vertex *label, int *rounds);

/* triangles.c */
vertex triangles(const struct graph *g, vertex *fetched);

/* serial.c */
int verify(const struct graph *g, const struct options *o, vertex root, const vertex *level, const double *score,
           const vertex *label, vertex triangle_count);

#endif
