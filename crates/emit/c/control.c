/* Barriers and collected values by one-sided writes, for interfaces that have nothing else; write_words, flush,
   complete and relax stand above. */

/* Others may need the processor to come to the barrier. */
static int64_t seen_at(int64_t *word)
{
    relax();
    sched_yield();
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/* All come to rank 0, and are released by it. */
static void barrier(void)
{
    barriers++;
    shared.scratch[0] = barriers;
    if (own_rank != 0) {
        write_words(0, shared.scratch, &shared.arrived[own_rank], 1);
        flush(0);
        while (seen_at(&shared.released) < barriers)
            ;
        return;
    }
    for (int rank = 1; rank < all_ranks; rank++)
        while (seen_at(&shared.arrived[rank]) < barriers)
            ;
    for (int rank = 1; rank < all_ranks; rank++)
        write_words(rank, shared.scratch, &shared.released, 1);
    complete();
}

/* Values of rank 0 after those of rank 1, and so on, at rank 0. */
static void collect(const int64_t *own, int64_t *all, int count)
{
    int64_t *mine = shared.gathered + own_rank * count;
    if (own_rank == 0) {
        memcpy(mine, own, sizeof(int64_t) * count);
    } else {
        memcpy(shared.scratch, own, sizeof(int64_t) * count);
        write_words(0, shared.scratch, mine, count);
        flush(0);
    }
    barrier();
    if (own_rank == 0)
        memcpy(all, shared.gathered, sizeof(int64_t) * count * all_ranks);
    barrier();
}
