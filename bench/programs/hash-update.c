/* Degrees of a random graph, counted in a hash table that is spread over all ranks.
 *
 * Every edge end is a key. A key is claimed by MPI_Compare_and_swap (linear probing), its counter raised by
 * MPI_Accumulate, and each rank's first sight of a key is numbered by MPI_Fetch_and_op on rank 0. Nearly all
 * accesses are remote, small and atomic: a checker sees little else than communication calls. Four-byte integers
 * throughout, since some MPI libraries fail on wider compare-and-swap.
 *
 * Usage: hash-update EDGES VERTICES (EDGES per rank; VERTICES of the graph, all ranks together) */
#include "measure.h"
#include <stdint.h>

enum { EMPTY = 0, BATCH = 64 };

struct table {
    int rank, size;
    int slots;              /* on each rank */
    int *memory;            /* the window: keys, counters, and one number dispenser */
    MPI_Win win;
};

/* Scrambles bits (the finaliser of murmur3, Appleby 2008). */
static uint32_t scramble(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ (x >> 16);
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return scramble(*state);
}

/* Vertices with small numbers have many edges, as in real graphs: the smaller of two draws. */
static int draw_vertex(uint32_t *state, int vertices)
{
    uint32_t a = next_random(state) % vertices, b = next_random(state) % vertices;
    return (int)(a < b ? a : b);
}

static void table_create(struct table *t, int vertices)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &t->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &t->size);
    t->slots = 2 * (vertices / t->size + 1);
    int words = 2 * t->slots + 1;
    MPI_Win_allocate((MPI_Aint)sizeof(int) * words, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &t->memory, &t->win);
    MPI_Win_set_name(t->win, "hash table");
    for (int i = 0; i < words; i++)
        t->memory[i] = EMPTY;
}

/* Finds or claims the slot of `key`; returns its index on `*owner` and whether it was new. */
static int claim(struct table *t, int key, int *owner, int *fresh)
{
    uint32_t hash = scramble((uint32_t)key * 2654435761u);
    int slot = (int)(hash / t->size % t->slots);
    *owner = (int)(hash % t->size);
    for (;;) {
        static const int empty = EMPTY;
        int found;
        MPI_Compare_and_swap(&key, &empty, &found, MPI_INT, *owner, slot, t->win);
        MPI_Win_flush(*owner, t->win);
        *fresh = found == EMPTY;
        if (found == EMPTY || found == key)
            return slot;
        slot = (slot + 1) % t->slots;
    }
}

/* Counts every edge of this rank; returns the largest number that it was given. */
static int count_edges(struct table *t, int edges, int vertices)
{
    static const int one = 1;
    uint32_t state = 12345u + 977u * t->rank;
    int largest = -1, pending = 0;
    for (int e = 0; e < edges; e++) {
        for (int end = 0; end < 2; end++) {
            int owner, fresh, slot = claim(t, draw_vertex(&state, vertices) + 1, &owner, &fresh);
            MPI_Accumulate(&one, 1, MPI_INT, owner, t->slots + slot, 1, MPI_INT, MPI_SUM, t->win);
            if (fresh) {
                int number;
                MPI_Fetch_and_op(&one, &number, MPI_INT, 0, 2 * t->slots, MPI_SUM, t->win);
                MPI_Win_flush(0, t->win);
                largest = number > largest ? number : largest;
            }
        }
        if (++pending == BATCH) {
            MPI_Win_flush_all(t->win);
            pending = 0;
        }
    }
    MPI_Win_flush_all(t->win);
    return largest;
}

/* All counters together must be the number of edge ends, and the dispenser the number of distinct keys. */
static int verify(struct table *t, int edges, int largest)
{
    long sums[3] = {0, 0, 0}, all[3];
    int most;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, t->rank, 0, t->win);
    for (int i = 0; i < t->slots; i++) {
        sums[0] += t->memory[i] != EMPTY;
        sums[1] += t->memory[t->slots + i];
    }
    sums[2] = t->memory[2 * t->slots];
    MPI_Win_unlock(t->rank, t->win);
    MPI_Allreduce(sums, all, 3, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&largest, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return all[1] == 2L * edges * t->size && all[0] == all[2] && all[0] == most + 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int edges = (int)measure_argument(argc, argv, 1, 20000, 1);
    int vertices = (int)measure_argument(argc, argv, 2, 10000, 1);

    struct table t;
    table_create(&t, vertices);

    MPI_Win_lock_all(0, t.win);
    MPI_Win_sync(t.win);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    int largest = count_edges(&t, edges, vertices);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - begin;
    MPI_Win_unlock_all(t.win);
    MPI_Barrier(MPI_COMM_WORLD);

    double bytes = (double)sizeof(int) * (2.0 * t.slots + 1);
    int status = measure_report("hash-update", seconds, edges, bytes, verify(&t, edges, largest));
    MPI_Win_free(&t.win);
    MPI_Finalize();
    return status;
}
