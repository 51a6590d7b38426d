/* Diagnostics, checkpoints and slices. Rank 0 fetches blocks with MPI_Get from a window that exists only meanwhile. */
#include "euler.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0x45553344L

void totals_of(const struct deck *deck, const struct block *b, double *u[NVAR], struct totals *t)
{
    double sums[6] = {0}, extremes[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX}, all[6], worst[3];
    double volume = b->width[0] * b->width[1] * b->width[2];
    for (int k = GHOST; k < GHOST + b->cells[2]; k++)
        for (int j = GHOST; j < GHOST + b->cells[1]; j++)
            for (int i = GHOST; i < GHOST + b->cells[0]; i++) {
                size_t c = at(b, i, j, k);
                double square = u[MX][c] * u[MX][c] + u[MY][c] * u[MY][c] + u[MZ][c] * u[MZ][c];
                double kinetic = 0.5 * square / u[RHO][c];
                double p = (deck->gamma - 1.0) * (u[EN][c] - kinetic);
                sums[0] += u[RHO][c] * volume;
                sums[1] += u[MX][c] * volume;
                sums[2] += u[MY][c] * volume;
                sums[3] += u[MZ][c] * volume;
                sums[4] += u[EN][c] * volume;
                sums[5] += kinetic * volume;
                extremes[0] = fmax(extremes[0], -u[RHO][c]);
                extremes[1] = fmax(extremes[1], u[RHO][c]);
                extremes[2] = fmax(extremes[2], -p);
            }
    MPI_Allreduce(sums, all, 6, MPI_DOUBLE, MPI_SUM, b->comm);
    MPI_Allreduce(extremes, worst, 3, MPI_DOUBLE, MPI_MAX, b->comm);
    t->mass = all[0];
    for (int d = 0; d < DIMS; d++) t->momentum[d] = all[1 + d];
    t->energy = all[4];
    t->kinetic = all[5];
    t->rho_min = -worst[0];
    t->rho_max = worst[1];
    t->p_min = -worst[2];
}

/* The mean absolute error of the density of the advected wave. */
double density_error(const struct deck *deck, const struct block *b, const struct state *s)
{
    double sum = 0.0, all = 0.0;
    for (int k = 0; k < b->cells[2]; k++)
        for (int j = 0; j < b->cells[1]; j++)
            for (int i = 0; i < b->cells[0]; i++) {
                int place[DIMS] = {i, j, k};
                int a = deck->axis;
                double x = (b->first[a] + place[a] + 0.5) * b->width[a];
                double rho = s->u[RHO][at(b, i + GHOST, j + GHOST, k + GHOST)];
                sum += fabs(rho - exact_density(deck, x, s->time));
            }
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, b->comm);
    return all / ((double)b->global[0] * b->global[1] * b->global[2]);
}

/* What rank 0 must know of a block to place it: first cells and numbers of cells. */
struct extent {
    int first[DIMS], cells[DIMS];
};

static struct extent *gather_extents(const struct block *b)
{
    struct extent mine;
    memcpy(mine.first, b->first, sizeof mine.first);
    memcpy(mine.cells, b->cells, sizeof mine.cells);
    struct extent *all = b->rank == 0 ? allocate((size_t)b->ranks, sizeof *all) : NULL;
    MPI_Gather(&mine, 2 * DIMS, MPI_INT, all, 2 * DIMS, MPI_INT, 0, b->comm);
    return all;
}

static size_t global_index(const struct block *b, int i, int j, int k)
{
    return ((size_t)k * (size_t)b->global[1] + (size_t)j) * (size_t)b->global[0] + (size_t)i;
}

/* Copies owned cells of one variable to or from a dense array. */
static void owned_out(const struct block *b, const double *u, double *dense)
{
    size_t n = 0;
    for (int k = 0; k < b->cells[2]; k++)
        for (int j = 0; j < b->cells[1]; j++)
            for (int i = 0; i < b->cells[0]; i++) dense[n++] = u[at(b, i + GHOST, j + GHOST, k + GHOST)];
}

static void owned_in(const struct block *b, const double *dense, double *u)
{
    size_t n = 0;
    for (int k = 0; k < b->cells[2]; k++)
        for (int j = 0; j < b->cells[1]; j++)
            for (int i = 0; i < b->cells[0]; i++) u[at(b, i + GHOST, j + GHOST, k + GHOST)] = dense[n++];
}

/* Moves one variable between the blocks and an array of the whole grid on rank 0.
 * `whole` is NULL on other ranks. `out`: to rank 0; else from it. */
static void transfer(const struct block *b, const struct extent *extents, double *u, double *whole, int out)
{
    size_t cells = (size_t)b->cells[0] * (size_t)b->cells[1] * (size_t)b->cells[2];
    double *dense = allocate(cells, sizeof(double));
    MPI_Win window;
    MPI_Win_create(dense, (MPI_Aint)(cells * sizeof(double)), sizeof(double), MPI_INFO_NULL, b->comm, &window);
    MPI_Win_set_name(window, out ? "checkpoint blocks" : "restart blocks");
    if (out) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, b->rank, 0, window);
        owned_out(b, u, dense);
        MPI_Win_unlock(b->rank, window);
    }
    MPI_Barrier(b->comm);
    if (b->rank == 0) {
        for (int r = 0; r < b->ranks; r++) {
            const struct extent *e = &extents[r];
            int size = e->cells[0] * e->cells[1] * e->cells[2];
            double *piece = allocate((size_t)size, sizeof(double));
            MPI_Win_lock(out ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, r, 0, window);
            if (out) {
                MPI_Get(piece, size, MPI_DOUBLE, r, 0, size, MPI_DOUBLE, window);
                MPI_Win_flush(r, window);
            }
            size_t n = 0;
            for (int k = 0; k < e->cells[2]; k++)
                for (int j = 0; j < e->cells[1]; j++)
                    for (int i = 0; i < e->cells[0]; i++) {
                        size_t g = global_index(b, e->first[0] + i, e->first[1] + j, e->first[2] + k);
                        if (out)
                            whole[g] = piece[n++];
                        else
                            piece[n++] = whole[g];
                    }
            if (!out) MPI_Put(piece, size, MPI_DOUBLE, r, 0, size, MPI_DOUBLE, window);
            MPI_Win_unlock(r, window);
            free(piece);
        }
    }
    MPI_Barrier(b->comm);
    if (!out) {
        MPI_Win_lock(MPI_LOCK_SHARED, b->rank, 0, window);
        owned_in(b, dense, u);
        MPI_Win_unlock(b->rank, window);
    }
    MPI_Win_free(&window);
    free(dense);
}

struct header {
    long magic;
    int global[DIMS];
    int step;
    double time;
};

int checkpoint_write(const struct deck *deck, const struct block *b, const struct state *s)
{
    FILE *file = NULL;
    int ok = 1;
    size_t cells = (size_t)b->global[0] * (size_t)b->global[1] * (size_t)b->global[2];
    if (b->rank == 0) {
        struct header header;
        memset(&header, 0, sizeof header);
        header.magic = MAGIC;
        memcpy(header.global, b->global, sizeof header.global);
        header.step = s->step;
        header.time = s->time;
        file = fopen(deck->checkpoint, "wb");
        if (file == NULL || fwrite(&header, sizeof header, 1, file) != 1) {
            fprintf(stderr, "euler3d: cannot write %s: %s\n", deck->checkpoint, strerror(errno));
            ok = 0;
        }
    }
    MPI_Bcast(&ok, 1, MPI_INT, 0, b->comm);
    if (!ok) {
        if (file != NULL) fclose(file);
        return -1;
    }
    struct extent *extents = gather_extents(b);
    double *whole = b->rank == 0 ? allocate(cells, sizeof(double)) : NULL;
    for (int v = 0; v < NVAR; v++) {
        transfer(b, extents, s->u[v], whole, 1);
        if (b->rank == 0 && fwrite(whole, sizeof(double), cells, file) != cells) ok = 0;
    }
    if (file != NULL && fclose(file) != 0) ok = 0;
    free(whole);
    free(extents);
    MPI_Bcast(&ok, 1, MPI_INT, 0, b->comm);
    return ok ? 0 : -1;
}

int checkpoint_read(const struct deck *deck, const struct block *b, struct state *s)
{
    FILE *file = NULL;
    struct header header;
    int ok = 1;
    size_t cells = (size_t)b->global[0] * (size_t)b->global[1] * (size_t)b->global[2];
    memset(&header, 0, sizeof header);
    if (b->rank == 0) {
        file = fopen(deck->restart, "rb");
        if (file == NULL || fread(&header, sizeof header, 1, file) != 1 || header.magic != MAGIC) {
            fprintf(stderr, "euler3d: %s is no checkpoint\n", deck->restart);
            ok = 0;
        } else if (memcmp(header.global, b->global, sizeof header.global) != 0) {
            fprintf(stderr, "euler3d: %s has %d x %d x %d cells\n", deck->restart, header.global[0],
                    header.global[1], header.global[2]);
            ok = 0;
        }
    }
    MPI_Bcast(&ok, 1, MPI_INT, 0, b->comm);
    if (!ok) {
        if (file != NULL) fclose(file);
        return -1;
    }
    MPI_Bcast(&header, (int)sizeof header, MPI_BYTE, 0, b->comm);
    s->step = header.step;
    s->time = header.time;
    struct extent *extents = gather_extents(b);
    double *whole = b->rank == 0 ? allocate(cells, sizeof(double)) : NULL;
    for (int v = 0; v < NVAR; v++) {
        if (b->rank == 0 && fread(whole, sizeof(double), cells, file) != cells) ok = 0;
        transfer(b, extents, s->u[v], whole, 0);
    }
    if (file != NULL) fclose(file);
    free(whole);
    free(extents);
    MPI_Bcast(&ok, 1, MPI_INT, 0, b->comm);
    return ok ? 0 : -1;
}

/* A line of cells through the middle along the axis, as text. */
int slice_write(const struct deck *deck, const struct block *b, const struct state *s)
{
    size_t cells = (size_t)b->global[0] * (size_t)b->global[1] * (size_t)b->global[2];
    struct extent *extents = gather_extents(b);
    double *rho = b->rank == 0 ? allocate(cells, sizeof(double)) : NULL;
    double *energy = b->rank == 0 ? allocate(cells, sizeof(double)) : NULL;
    transfer(b, extents, s->u[RHO], rho, 1);
    transfer(b, extents, s->u[EN], energy, 1);
    int ok = 1;
    if (b->rank == 0) {
        FILE *file = strcmp(deck->slice, "-") == 0 ? stdout : fopen(deck->slice, "w");
        if (file == NULL) {
            fprintf(stderr, "euler3d: cannot write %s: %s\n", deck->slice, strerror(errno));
            ok = 0;
        } else {
            int a = deck->axis;
            int place[DIMS] = {b->global[0] / 2, b->global[1] / 2, b->global[2] / 2};
            fprintf(file, "# x density energy at t = %g\n", s->time);
            for (place[a] = 0; place[a] < b->global[a]; place[a]++) {
                size_t g = global_index(b, place[0], place[1], place[2]);
                fprintf(file, "%.6f %.8f %.8f\n", (place[a] + 0.5) * b->width[a], rho[g], energy[g]);
            }
            if (file != stdout) fclose(file);
        }
    }
    free(rho);
    free(energy);
    free(extents);
    MPI_Bcast(&ok, 1, MPI_INT, 0, b->comm);
    return ok ? 0 : -1;
}
