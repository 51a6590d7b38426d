/* The decomposition, and memory. */
#include "euler.h"

#include <stdlib.h>
#include <string.h>

void stop(MPI_Comm comm, const char *why)
{
    fprintf(stderr, "euler3d: %s\n", why);
    MPI_Abort(comm, 3);
    abort();
}

void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) stop(MPI_COMM_WORLD, "out of memory");
    return memory;
}

/* Cells of block `c` of `blocks` along a direction with `n` cells: the first blocks have one more. */
static void share(int n, int blocks, int c, int *first, int *count)
{
    int each = n / blocks, more = n % blocks;
    *count = each + (c < more ? 1 : 0);
    *first = c * each + (c < more ? c : more);
}

int block_create(struct block *b, const struct deck *deck, MPI_Comm comm)
{
    int periods[DIMS], ranks;
    memset(b, 0, sizeof *b);
    MPI_Comm_size(comm, &ranks);
    for (int d = 0; d < DIMS; d++) {
        b->blocks[d] = deck->blocks[d];
        periods[d] = deck->boundary[d] == BOUND_PERIODIC;
    }
    MPI_Dims_create(ranks, DIMS, b->blocks);
    MPI_Cart_create(comm, DIMS, b->blocks, periods, 1, &b->comm);
    MPI_Comm_rank(b->comm, &b->rank);
    MPI_Comm_size(b->comm, &b->ranks);
    MPI_Cart_coords(b->comm, b->rank, DIMS, b->coord);
    int small = 0;
    b->size = 1;
    for (int d = 0; d < DIMS; d++) {
        MPI_Cart_shift(b->comm, d, 1, &b->lower[d], &b->upper[d]);
        b->global[d] = deck->cells[d];
        share(deck->cells[d], b->blocks[d], b->coord[d], &b->first[d], &b->cells[d]);
        if (b->cells[d] < GHOST) small = 1;
        b->total[d] = b->cells[d] + 2 * GHOST;
        b->width[d] = deck->length[d] / deck->cells[d];
        b->size *= (size_t)b->total[d];
    }
    int any = 0;
    MPI_Allreduce(&small, &any, 1, MPI_INT, MPI_LOR, b->comm);
    if (any) {
        if (b->rank == 0) fprintf(stderr, "euler3d: a block has fewer than %d cells in a direction\n", GHOST);
        MPI_Comm_free(&b->comm);
        return -1;
    }
    return 0;
}

void block_free(struct block *b)
{
    MPI_Comm_free(&b->comm);
}

void state_create(struct state *s, const struct block *b)
{
    for (int v = 0; v < NVAR; v++) {
        s->u[v] = allocate(b->size, sizeof(double));
        s->next[v] = allocate(b->size, sizeof(double));
        s->rate[v] = allocate(b->size, sizeof(double));
    }
    s->time = 0.0;
    s->step = 0;
}

void state_free(struct state *s)
{
    for (int v = 0; v < NVAR; v++) {
        free(s->u[v]);
        free(s->next[v]);
        free(s->rate[v]);
    }
}
