/* Distributed sparse matrices, vectors with ghost entries, and solvers over them. */
#ifndef SPARSE_H
#define SPARSE_H

#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

/* Rows are dealt in contiguous parts. */
struct layout {
    MPI_Comm comm;
    int rank, ranks;
    long rows;   /* of the whole matrix */
    long *start; /* ranks + 1: first row of each rank */
    int local;   /* rows of this rank */
};

/* Compressed rows. Columns below `local` are owned entries, others ghosts: local + number of the ghost. */
struct matrix {
    const struct layout *layout;
    int *first; /* local + 1 */
    int *column;
    double *value;
    double *diagonal;
    int ghosts;
    long *ghost; /* global rows of the ghosts, ascending */
};

/* How ghost entries come: each rank puts what its neighbours need into their windows (push), or gets what it needs from
 * theirs (pull). Both are synchronised by post, start, complete and wait among neighbours only. */
enum way { WAY_PUSH, WAY_PULL };

struct neighbour {
    int rank;
    int begin, count;      /* range of my ghosts that it owns */
    int *send;             /* my rows that it needs */
    int sends;
    MPI_Aint displacement; /* where my rows begin in its ghost window (push) */
    MPI_Datatype remote;   /* my ghosts among its rows (pull) */
    double *packed;
};

struct gather {
    enum way way;
    const struct matrix *matrix;
    int neighbours;
    struct neighbour *neighbour;
    MPI_Group group;   /* the neighbours; exposure and access groups are the same */
    MPI_Win window;    /* push: ghost entries; pull: a copy of the owned entries */
    double *exposed;   /* window memory */
    double *ghost;     /* where ghost entries lie after gather_end */
    long exchanges;
    long bytes;
};

enum preconditioner { PRE_NONE, PRE_JACOBI, PRE_SSOR };
enum generator { GEN_POISSON2, GEN_POISSON3, GEN_ANISOTROPIC, GEN_RANDOM, GEN_FILE };
enum method { METHOD_CG, METHOD_PIPELINED, METHOD_BICGSTAB };

struct options {
    enum generator generator;
    char file[256];
    int n;
    double epsilon; /* anisotropy, or dominance of the random matrix */
    int degree;     /* entries a row of the random matrix */
    unsigned seed;
    enum method method;
    enum preconditioner preconditioner;
    enum way way;
    double tolerance;
    int iterations;
    int repeats;
    int verbose;
};

struct outcome {
    int iterations;
    int converged;
    double residual;
};

void *xmalloc(size_t bytes);
void die(const char *why) __attribute__((noreturn));

void layout_create(struct layout *l, long rows, MPI_Comm comm);
int layout_owner(const struct layout *l, long row);
void layout_free(struct layout *l);

int matrix_generate(struct matrix *a, const struct layout *l, const struct options *o);
int matrix_file_rows(const char *name, long *rows, MPI_Comm comm);
int matrix_read(struct matrix *a, const struct layout *l, const char *name);
double matrix_asymmetry(const struct matrix *a, struct gather *g);
void matrix_free(struct matrix *a);

void gather_create(struct gather *g, const struct matrix *a, enum way way);
void gather_begin(struct gather *g, const double *x);
void gather_end(struct gather *g);
void gather_free(struct gather *g);

void multiply(const struct matrix *a, struct gather *g, const double *x, double *y);
double dot(const struct layout *l, const double *x, const double *y);
struct outcome solve(const struct matrix *a, struct gather *g, const struct options *o, const double *b, double *x);

#endif
