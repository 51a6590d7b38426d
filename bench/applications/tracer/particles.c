#include "tracer.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#define HEAD 64 /* bytes before the slots: the counter */

static MPI_Datatype particle_type(void) {
    int lengths[4] = {1, 1, 1, 1};
    MPI_Aint places[4] = {offsetof(Particle, x), offsetof(Particle, y), offsetof(Particle, id),
                          offsetof(Particle, kind)};
    MPI_Datatype types[4] = {MPI_DOUBLE, MPI_DOUBLE, MPI_INT, MPI_CHAR};
    MPI_Datatype packed, type;
    MPI_Type_create_struct(4, lengths, places, types, &packed);
    MPI_Type_create_resized(packed, 0, sizeof(Particle), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&packed);
    return type;
}

void mailbox_make(Mailbox *m, int room, MPI_Comm comm) {
    m->room = room;
    m->comm = comm;
    m->type = particle_type();
    MPI_Aint bytes = HEAD + (MPI_Aint)((size_t)room * sizeof(Particle));
    MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, comm, &m->memory, &m->window);
    MPI_Win_set_name(m->window, "mailbox");
    MPI_Win_lock_all(MPI_MODE_NOCHECK, m->window);
    *(int *)m->memory = 0;
    MPI_Win_sync(m->window);
    MPI_Barrier(comm);
}

static int owner(const Settings *s, double y, int ranks) {
    int row = (int)floor(y);
    int share = s->cells_y / ranks, rest = s->cells_y % ranks;
    if (row < rest * (share + 1)) return row / (share + 1);
    return rest + (row - rest * (share + 1)) / share;
}

/* Moves the particles with the flow, and hands those that leave the strip to their new owner; how many are here now. */
int particles_move(Mailbox *m, Particle *p, int count, const Fields *f, const Settings *s) {
    int rank, ranks;
    MPI_Comm_rank(m->comm, &rank);
    MPI_Comm_size(m->comm, &ranks);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        Particle one = p[i];
        one.x = fmod(one.x + s->velocity_x * s->time_step, s->cells_x);
        one.y = fmod(one.y + s->velocity_y * s->time_step, s->cells_y);
        int row = (int)floor(one.y);
        if (row >= f->first_row && row < f->first_row + f->rows) {
            p[kept++] = one;
            continue;
        }
        int to = owner(s, one.y, ranks), slot = 0;
        const int add = 1;
        MPI_Fetch_and_op(&add, &slot, MPI_INT, to, 0, MPI_SUM, m->window);
        MPI_Win_flush(to, m->window);
        if (slot >= m->room) MPI_Abort(m->comm, 3);
        MPI_Aint at = HEAD + (MPI_Aint)((size_t)slot * sizeof(Particle));
        MPI_Put(&one, 1, m->type, to, at, 1, m->type, m->window);
        MPI_Win_flush(to, m->window);
    }
    MPI_Barrier(m->comm); /* all letters have arrived */
    MPI_Win_sync(m->window);
    int *arrived = m->memory;
    const Particle *slots = (const Particle *)((const char *)m->memory + HEAD);
    for (int i = 0; i < *arrived; i++) p[kept++] = slots[i];
    *arrived = 0;
    MPI_Win_sync(m->window);
    MPI_Barrier(m->comm); /* the boxes are empty */
    return kept;
}

void mailbox_free(Mailbox *m) {
    MPI_Win_unlock_all(m->window);
    MPI_Win_free(&m->window);
    MPI_Type_free(&m->type);
}
