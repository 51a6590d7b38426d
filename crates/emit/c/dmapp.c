/* Cray's DMAPP. put and get are the non-blocking ones of one quadword, rga and cas the non-blocking atomics, whose
   operands the processor reads when it issues them; flush is gsync_wait, which knows no single target. Memory is in
   the symmetric heap, at the same place of every rank. Barriers are those of Cray's PMI. */
#include <dmapp.h>
#include <pmi.h>

enum { MOST_RANKS = 64 };

static dmapp_seg_desc_t *heap;
static int64_t *memory, *gathered;
static int own_rank, all_ranks;

static void target_abort(void)
{
    exit(2);
}

static void check(dmapp_return_t result, const char *what)
{
    const char *why = "";
    if (result != DMAPP_RC_SUCCESS) {
        dmapp_explain_error(result, &why);
        fprintf(stderr, "%s: %s\n", what, why);
        target_abort();
    }
}

static inline int64_t *place(int variable)
{
    return memory + variable * STRIDE;
}

static void target_start(int *argc, char ***argv, int *rank, int *ranks)
{
    dmapp_rma_attrs_t attributes = {0};
    dmapp_jobinfo_t job;
    (void)argc;
    (void)argv;
    attributes.put_relaxed_ordering = DMAPP_ROUTING_DETERMINISTIC;
    attributes.get_relaxed_ordering = DMAPP_ROUTING_DETERMINISTIC;
    attributes.max_outstanding_nb = DMAPP_DEF_OUTSTANDING_NB;
    attributes.offload_threshold = DMAPP_OFFLOAD_THRESHOLD;
    attributes.max_concurrency = 1;
    check(dmapp_init(&attributes, &attributes), "dmapp_init");
    check(dmapp_get_jobinfo(&job), "dmapp_get_jobinfo");
    own_rank = *rank = job.pe;
    all_ranks = *ranks = job.npes;
    static dmapp_seg_desc_t segment;
    segment = job.sheap_seg;
    heap = &segment;
    memory = dmapp_sheap_malloc(MOST_VARIABLES * STRIDE * sizeof(int64_t));
    gathered = dmapp_sheap_malloc(MOST_SEEN * MOST_RANKS * sizeof(int64_t));
    if (memory == NULL || gathered == NULL || all_ranks > MOST_RANKS) {
        fprintf(stderr, "no symmetric memory, or more than %d ranks\n", MOST_RANKS);
        target_abort();
    }
}

static void target_end(void)
{
    PMI_Barrier();
    check(dmapp_finalize(), "dmapp_finalize");
}

static inline void put(int target, int owner, int from)
{
    check(dmapp_put_nbi(place(target), heap, owner, place(from), 1, DMAPP_QW), "dmapp_put_nbi");
}

static inline void get(int into, int target, int owner)
{
    check(dmapp_get_nbi(place(into), place(target), heap, owner, 1, DMAPP_QW), "dmapp_get_nbi");
}

static inline int64_t operand(int variable)
{
    return __atomic_load_n(place(variable), __ATOMIC_SEQ_CST);
}

static inline void rga(int into, int target, int owner, int added)
{
    check(dmapp_afadd_qw_nbi(place(into), place(target), heap, owner, operand(added)), "dmapp_afadd_qw_nbi");
}

static inline void cas(int into, int target, int owner, int compare, int swap)
{
    int64_t expected = operand(compare);
    check(dmapp_acswap_qw_nbi(place(into), place(target), heap, owner, expected, operand(swap)),
          "dmapp_acswap_qw_nbi");
}

static inline void flush(int owner)
{
    (void)owner;
    check(dmapp_gsync_wait(), "dmapp_gsync_wait");
}

/* All operations of this rank, at both sides. */
static void complete(void)
{
    flush(0);
}

static void barrier(void)
{
    PMI_Barrier();
}

/* Values of rank 0 after those of rank 1, and so on, at rank 0. */
static void collect(const int64_t *own, int64_t *all, int count)
{
    check(dmapp_put(gathered + own_rank * count, heap, 0, (void *)own, (uint64_t)count, DMAPP_QW), "dmapp_put");
    PMI_Barrier();
    if (own_rank == 0)
        memcpy(all, gathered, sizeof(int64_t) * count * all_ranks);
    PMI_Barrier();
}

/* Between two statements: nothing to be done. */
static inline void relax(void)
{
}
