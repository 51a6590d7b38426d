#include "tracer.h"

#include <string.h>

#define TRACERS 3

void rows_make(Rows *r, const Fields *f, int transport, MPI_Comm comm) {
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    r->comm = comm;
    r->transport = transport;
    r->columns = f->columns;
    r->down = (rank + ranks - 1) % ranks;
    r->up = (rank + 1) % ranks;
    MPI_Group all;
    MPI_Comm_group(comm, &all);
    int members[2] = {r->down, r->up};
    MPI_Group_incl(all, r->down == r->up ? 1 : 2, members, &r->neighbours);
    MPI_Group_free(&all);
    MPI_Aint bytes = (MPI_Aint)(2 * TRACERS * (size_t)f->columns * sizeof(double));
    MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, comm, &r->slots, &r->window);
    MPI_Win_set_name(r->window, "rows");
    if (transport == TRANSPORT_LOCKS) MPI_Win_lock_all(0, r->window);
}

/* My lowest row goes to slot 1 (from above) of the rank below, my highest one to slot 0 of the rank above. */
static void put_rows(Rows *r, const Fields *f) {
    const double *tracers[TRACERS] = {f->salt, f->heat, f->dye};
    int n = r->columns;
    for (int k = 0; k < TRACERS; k++) {
        MPI_Put(tracers[k] + n, n, MPI_DOUBLE, r->down, (MPI_Aint)(TRACERS + k) * n, n, MPI_DOUBLE, r->window);
        MPI_Put(tracers[k] + (size_t)f->rows * n, n, MPI_DOUBLE, r->up, (MPI_Aint)k * n, n, MPI_DOUBLE, r->window);
    }
}

static void take_rows(const Rows *r, Fields *f) {
    double *tracers[TRACERS] = {f->salt, f->heat, f->dye};
    size_t n = (size_t)r->columns;
    for (int k = 0; k < TRACERS; k++) {
        memcpy(tracers[k], r->slots + (size_t)k * n, n * sizeof(double));
        memcpy(tracers[k] + (size_t)(f->rows + 1) * n, r->slots + (size_t)(TRACERS + k) * n, n * sizeof(double));
    }
}

void rows_exchange(Rows *r, Fields *f) {
    if (r->transport == TRANSPORT_PSCW) {
        MPI_Win_post(r->neighbours, 0, r->window);
        MPI_Win_start(r->neighbours, 0, r->window);
        put_rows(r, f);
        MPI_Win_complete(r->window);
        MPI_Win_wait(r->window);
        take_rows(r, f);
    } else {
        MPI_Barrier(r->comm); /* all have taken the last rows */
        put_rows(r, f);
        MPI_Win_flush_all(r->window);
        MPI_Barrier(r->comm);
        MPI_Win_sync(r->window);
        take_rows(r, f);
        MPI_Win_sync(r->window);
    }
}

void rows_free(Rows *r) {
    if (r->transport == TRANSPORT_LOCKS) MPI_Win_unlock_all(r->window);
    MPI_Group_free(&r->neighbours);
    MPI_Win_free(&r->window);
}
