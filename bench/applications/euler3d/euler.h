/* Compressible Euler equations on a block-decomposed Cartesian grid: what all parts of the program share. */
#ifndef EULER_H
#define EULER_H

#include <mpi.h>
#include <stdio.h>

#define NVAR 5  /* density, three momenta, total energy */
#define GHOST 2 /* layers of ghost cells: the slope limiter looks two cells far */
#define DIMS 3

enum variable { RHO, MX, MY, MZ, EN };
enum problem { PROBLEM_WAVE, PROBLEM_SOD, PROBLEM_BLAST, PROBLEM_COUNT };
enum boundary { BOUND_PERIODIC, BOUND_OUTFLOW, BOUND_WALL, BOUND_COUNT };
enum limiter { LIMIT_NONE, LIMIT_MINMOD, LIMIT_VANLEER, LIMIT_COUNT };
enum flux { FLUX_RUSANOV, FLUX_HLL, FLUX_HLLC, FLUX_COUNT };

/* The input deck. */
struct deck {
    int cells[DIMS];
    int blocks[DIMS]; /* 0: MPI_Dims_create chooses */
    double length[DIMS];
    double gamma;
    double cfl;
    double end_time;
    int max_steps;
    int report_every;
    int checkpoint_every;
    enum problem problem;
    int axis; /* direction of the wave or tube */
    enum boundary boundary[DIMS];
    enum limiter limiter;
    enum flux flux;
    char checkpoint[256]; /* empty: none */
    char restart[256];
    char slice[256];
    int verbose;
};

/* The part of the grid that this rank owns. */
struct block {
    MPI_Comm comm;
    int rank, ranks;
    int blocks[DIMS], coord[DIMS];
    int lower[DIMS], upper[DIMS]; /* ranks of neighbours, MPI_PROC_NULL outside */
    int cells[DIMS];              /* owned */
    int first[DIMS];              /* global index of the first owned cell */
    int global[DIMS];
    int total[DIMS]; /* with ghosts */
    double width[DIMS];
    size_t size; /* cells with ghosts */
};

struct state {
    double *u[NVAR];    /* conserved */
    double *next[NVAR]; /* second stage */
    double *rate[NVAR]; /* time derivative */
    double time;
    int step;
};

static inline size_t at(const struct block *b, int i, int j, int k)
{
    return ((size_t)k * (size_t)b->total[1] + (size_t)j) * (size_t)b->total[0] + (size_t)i;
}

/* deck.c */
void deck_defaults(struct deck *deck);
int deck_read_file(struct deck *deck, const char *name);
int deck_set(struct deck *deck, const char *key, const char *value);
int deck_validate(const struct deck *deck, int ranks);
void deck_print(const struct deck *deck, FILE *to);
int deck_arguments(struct deck *deck, int argc, char **argv, int rank);
void deck_broadcast(struct deck *deck, MPI_Comm comm);

/* grid.c */
int block_create(struct block *b, const struct deck *deck, MPI_Comm comm);
void block_free(struct block *b);
void state_create(struct state *s, const struct block *b);
void state_free(struct state *s);
void *allocate(size_t count, size_t size);
void stop(MPI_Comm comm, const char *why) __attribute__((noreturn));

/* halo.c */
struct halo;
struct halo *halo_create(const struct block *b);
void halo_exchange(struct halo *h, const struct block *b, const struct deck *deck, double *u[NVAR]);
void halo_free(struct halo *h);
long halo_bytes(const struct halo *h);
double halo_seconds(const struct halo *h);

/* physics.c */
void initial_state(const struct deck *deck, const struct block *b, struct state *s);
double largest_speed(const struct deck *deck, const struct block *b, double *u[NVAR]);
void time_derivative(const struct deck *deck, const struct block *b, double *u[NVAR], double *rate[NVAR]);
double exact_density(const struct deck *deck, double x, double time);

/* output.c */
struct totals {
    double mass, momentum[DIMS], energy, kinetic;
    double rho_min, rho_max, p_min;
};
void totals_of(const struct deck *deck, const struct block *b, double *u[NVAR], struct totals *t);
double density_error(const struct deck *deck, const struct block *b, const struct state *s);
int checkpoint_write(const struct deck *deck, const struct block *b, const struct state *s);
int checkpoint_read(const struct deck *deck, const struct block *b, struct state *s);
int slice_write(const struct deck *deck, const struct block *b, const struct state *s);

#endif
