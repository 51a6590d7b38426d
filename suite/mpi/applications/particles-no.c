/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "COMPILE": "-Wl,--no-as-needed -lm", "DESCRIPTION": "particles in slabs: those that leave are put into room reserved by a fetch and add"} */
/* Particles in slabs: each step moves them, counts those that leave, reserves room at the neighbours by a fetch and
   add,
 * puts them there, and sorts the arrived ones into cells. */
#include <mpi.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 256
#define CELLS 8

struct particle {
    double x, v;
    int id, cell;
};

/* What the neighbours write to: a counter, and room for those that arrive. */
struct inbox {
    long arrived;
    long padding;
    struct particle room[CAPACITY];
};

struct slab {
    MPI_Comm comm;
    int me, np, left, right;
    double low, high;
    int count;
    struct particle own[CAPACITY];
    struct inbox *inbox;
    MPI_Win win;
    MPI_Datatype type;
    int first[CELLS + 1];
};

static unsigned long state;
static double uniform(void) {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void make_type(struct slab *s) {
    int lengths[4] = {1, 1, 1, 1};
    MPI_Aint places[4] = {offsetof(struct particle, x), offsetof(struct particle, v), offsetof(struct particle, id),
                          offsetof(struct particle, cell)};
    MPI_Datatype types[4] = {MPI_DOUBLE, MPI_DOUBLE, MPI_INT, MPI_INT};
    MPI_Datatype plain;
    MPI_Type_create_struct(4, lengths, places, types, &plain);
    MPI_Type_create_resized(plain, 0, sizeof(struct particle), &s->type);
    MPI_Type_commit(&s->type);
    MPI_Type_free(&plain);
}

static void begin(struct slab *s, int each) {
    MPI_Comm_dup(MPI_COMM_WORLD, &s->comm);
    MPI_Comm_rank(s->comm, &s->me);
    MPI_Comm_size(s->comm, &s->np);
    s->left = (s->me + s->np - 1) % s->np;
    s->right = (s->me + 1) % s->np;
    s->low = s->me;
    s->high = s->me + 1;
    s->count = each;
    state = 17 + (unsigned long)s->me;
    for (int i = 0; i < each; i++) {
        struct particle *p = &s->own[i];
        p->x = s->low + uniform();
        p->v = 0.5 * (uniform() - 0.5);
        p->id = s->me * each + i;
        p->cell = 0;
    }
    make_type(s);
    MPI_Win_allocate(sizeof(struct inbox), 1, MPI_INFO_NULL, s->comm, &s->inbox, &s->win);
    memset(s->inbox, 0, sizeof(struct inbox));
    MPI_Barrier(s->comm);
    MPI_Win_lock_all(0, s->win);
}

/* Those that leave to one side are copied one after the other, and taken out. */
static int take(struct slab *s, int to_right, struct particle *out) {
    int kept = 0, taken = 0;
    for (int i = 0; i < s->count; i++) {
        struct particle p = s->own[i];
        int leaves = to_right ? p.x >= s->high : p.x < s->low;
        if (leaves) {
            if (to_right && s->right == 0) p.x -= s->np;
            if (!to_right && s->me == 0) p.x += s->np;
            out[taken++] = p;
        } else {
            s->own[kept++] = p;
        }
    }
    s->count = kept;
    return taken;
}

static void send(struct slab *s, int target, const struct particle *some, int n) {
    long add = n, at;
    if (n == 0) return;
    MPI_Fetch_and_op(&add, &at, MPI_LONG, target, offsetof(struct inbox, arrived), MPI_SUM, s->win);
    MPI_Win_flush(target, s->win);
    MPI_Aint place = (MPI_Aint)(offsetof(struct inbox, room) + (size_t)at * sizeof(struct particle));
    MPI_Put(some, n, s->type, target, place, n, s->type, s->win);
    MPI_Win_flush_local(target, s->win);
}

static void exchange(struct slab *s) {
    struct particle out[CAPACITY];
    int n = take(s, 0, out);
    send(s, s->left, out, n);
    n = take(s, 1, out);
    send(s, s->right, out, n);
    MPI_Win_flush_all(s->win);
    MPI_Barrier(s->comm);
    MPI_Win_sync(s->win);
    for (long i = 0; i < s->inbox->arrived; i++) s->own[s->count++] = s->inbox->room[i];
    s->inbox->arrived = 0;
    MPI_Win_sync(s->win);
    MPI_Barrier(s->comm);
}

static void sort(struct slab *s) {
    int counts[CELLS] = {0};
    struct particle sorted[CAPACITY];
    for (int i = 0; i < s->count; i++) {
        int cell = (int)((s->own[i].x - s->low) * CELLS);
        s->own[i].cell = cell < 0 ? 0 : cell >= CELLS ? CELLS - 1 : cell;
        counts[s->own[i].cell]++;
    }
    s->first[0] = 0;
    for (int c = 0; c < CELLS; c++) s->first[c + 1] = s->first[c] + counts[c];
    int next[CELLS];
    memcpy(next, s->first, sizeof next);
    for (int i = 0; i < s->count; i++) sorted[next[s->own[i].cell]++] = s->own[i];
    memcpy(s->own, sorted, (size_t)s->count * sizeof *sorted);
}

/* Neighbours in a cell push each other apart a little. */
static void push(struct slab *s, double dt) {
    for (int c = 0; c < CELLS; c++)
        for (int i = s->first[c]; i < s->first[c + 1]; i++)
            for (int j = i + 1; j < s->first[c + 1]; j++) {
                double d = s->own[i].x - s->own[j].x;
                double f = 0.001 * (d < 0 ? -1 : 1) / (fabs(d) + 0.1);
                s->own[i].v += f * dt;
                s->own[j].v -= f * dt;
            }
    for (int i = 0; i < s->count; i++) s->own[i].x += s->own[i].v * dt;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    static struct slab s;
    int steps = argc > 1 ? atoi(argv[1]) : 6;
    begin(&s, 24);
    sort(&s);
    for (int step = 0; step < steps; step++) {
        push(&s, 0.5);
        exchange(&s);
        sort(&s);
    }
    long count = s.count, all;
    MPI_Allreduce(&count, &all, 1, MPI_LONG, MPI_SUM, s.comm);
    if (s.me == 0) printf("%ld particles of %d\n", all, 24 * s.np);
    MPI_Win_unlock_all(s.win);
    MPI_Win_free(&s.win);
    MPI_Type_free(&s.type);
    MPI_Comm_free(&s.comm);
    MPI_Finalize();
    return all == 24 * s.np ? 0 : 1;
}
