/* Ghost cells: faces are packed, put into slots of the neighbours' windows between two fences, and unpacked.
 *
 * The three directions go one after the other, so that edges and corners come along. A slot has room for the largest
 * face. Slot 2*d is written by the lower neighbour in direction d, slot 2*d+1 by the upper one. */
#include "euler.h"

#include <stdlib.h>
#include <string.h>

struct halo {
    MPI_Win window;
    double *slots;     /* window memory: 2 * DIMS slots */
    double *send[2];   /* packed faces, lower and upper */
    MPI_Aint slot;     /* doubles a slot */
    MPI_Aint *offset;  /* of the slots, in the windows of all ranks: blocks differ in size */
    long bytes;
    double seconds;
};

struct box {
    int low[DIMS], high[DIMS];
};

/* The cells of a face: `side` 0 lower, 1 upper; `ghost`: the ghost cells, else the owned ones beside them. */
static struct box face(const struct block *b, int d, int side, int ghost)
{
    struct box box;
    for (int e = 0; e < DIMS; e++) {
        /* Directions already exchanged take their ghosts along. */
        box.low[e] = e < d ? 0 : GHOST;
        box.high[e] = e < d ? b->total[e] : GHOST + b->cells[e];
    }
    if (side == 0) {
        box.low[d] = ghost ? 0 : GHOST;
    } else {
        box.low[d] = ghost ? GHOST + b->cells[d] : b->cells[d];
    }
    box.high[d] = box.low[d] + GHOST;
    return box;
}

static int box_cells(const struct box *box)
{
    return (box->high[0] - box->low[0]) * (box->high[1] - box->low[1]) * (box->high[2] - box->low[2]);
}

static int pack(const struct block *b, const struct box *box, double *const u[NVAR], double *to)
{
    int n = 0;
    for (int v = 0; v < NVAR; v++)
        for (int k = box->low[2]; k < box->high[2]; k++)
            for (int j = box->low[1]; j < box->high[1]; j++)
                for (int i = box->low[0]; i < box->high[0]; i++) to[n++] = u[v][at(b, i, j, k)];
    return n;
}

static void unpack(const struct block *b, const struct box *box, const double *from, double *const u[NVAR])
{
    int n = 0;
    for (int v = 0; v < NVAR; v++)
        for (int k = box->low[2]; k < box->high[2]; k++)
            for (int j = box->low[1]; j < box->high[1]; j++)
                for (int i = box->low[0]; i < box->high[0]; i++) u[v][at(b, i, j, k)] = from[n++];
}

/* Ghost cells outside of the domain: copies of the nearest owned cell, or mirror images with a reversed velocity. */
static void outside(const struct block *b, int d, int side, enum boundary kind, double *const u[NVAR])
{
    struct box box = face(b, d, side, 1);
    for (int k = box.low[2]; k < box.high[2]; k++)
        for (int j = box.low[1]; j < box.high[1]; j++)
            for (int i = box.low[0]; i < box.high[0]; i++) {
                int ghost[DIMS] = {i, j, k}, from[DIMS] = {i, j, k};
                int edge = side == 0 ? GHOST : GHOST + b->cells[d] - 1;
                from[d] = kind == BOUND_WALL ? 2 * edge - ghost[d] + (side == 0 ? -1 : 1) : edge;
                size_t to = at(b, i, j, k), source = at(b, from[0], from[1], from[2]);
                for (int v = 0; v < NVAR; v++) {
                    double sign = kind == BOUND_WALL && v == MX + d ? -1.0 : 1.0;
                    u[v][to] = sign * u[v][source];
                }
            }
}

struct halo *halo_create(const struct block *b)
{
    struct halo *h = allocate(1, sizeof *h);
    h->slot = 0;
    for (int d = 0; d < DIMS; d++) {
        struct box box = face(b, d, 0, 1);
        MPI_Aint need = (MPI_Aint)box_cells(&box) * NVAR;
        if (need > h->slot) h->slot = need;
    }
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Info_set(info, "same_disp_unit", "true");
    if (MPI_Win_allocate(2 * DIMS * h->slot * (MPI_Aint)sizeof(double), sizeof(double), info, b->comm, &h->slots,
                         &h->window) != MPI_SUCCESS)
        stop(b->comm, "cannot allocate the window of the ghost cells");
    MPI_Info_free(&info);
    MPI_Win_set_name(h->window, "ghost cells");
    h->offset = allocate((size_t)b->ranks, sizeof *h->offset);
    MPI_Allgather(&h->slot, 1, MPI_AINT, h->offset, 1, MPI_AINT, b->comm);
    for (int side = 0; side < 2; side++) h->send[side] = allocate((size_t)h->slot, sizeof(double));
    return h;
}

void halo_exchange(struct halo *h, const struct block *b, const struct deck *deck, double *u[NVAR])
{
    double begin = MPI_Wtime();
    for (int d = 0; d < DIMS; d++) {
        int to[2] = {b->lower[d], b->upper[d]};
        int count[2];
        for (int side = 0; side < 2; side++) {
            struct box box = face(b, d, side, 0);
            count[side] = pack(b, &box, u, h->send[side]);
        }
        MPI_Win_fence(MPI_MODE_NOPRECEDE, h->window);
        for (int side = 0; side < 2; side++) {
            if (to[side] == MPI_PROC_NULL) continue;
            /* My lower face is what my lower neighbour has beyond its upper one. */
            MPI_Aint displacement = (2 * d + (1 - side)) * h->offset[to[side]];
            MPI_Put(h->send[side], count[side], MPI_DOUBLE, to[side], displacement, count[side], MPI_DOUBLE,
                    h->window);
            h->bytes += (long)count[side] * (long)sizeof(double);
        }
        MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, h->window);
        for (int side = 0; side < 2; side++) {
            if (to[side] == MPI_PROC_NULL) {
                outside(b, d, side, deck->boundary[d], u);
                continue;
            }
            struct box box = face(b, d, side, 1);
            unpack(b, &box, h->slots + (2 * d + side) * h->slot, u);
        }
    }
    h->seconds += MPI_Wtime() - begin;
}

void halo_free(struct halo *h)
{
    MPI_Win_free(&h->window);
    for (int side = 0; side < 2; side++) free(h->send[side]);
    free(h->offset);
    free(h);
}

long halo_bytes(const struct halo *h)
{
    return h->bytes;
}

double halo_seconds(const struct halo *h)
{
    return h->seconds;
}
