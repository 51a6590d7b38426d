/* Portals 4. put and get are PtlPut and PtlGet, rga PtlFetchAtomic with PTL_SUM, cas PtlSwap with PTL_CSWAP, whose
   operand of comparison the processor reads when it issues it; flush waits for the acknowledgements and replies of a
   target. All of the shared memory is one list entry that matches everything. Ranks find one another by their
   physical identifiers. */
#include <portals4.h>

struct card {
    ptl_process_t process;
};

static ptl_handle_ni_t interface;
static ptl_pt_index_t table;
static ptl_handle_le_t entry;
static ptl_handle_md_t descriptor[MOST_RANKS];
static ptl_handle_ct_t done[MOST_RANKS];
static ptl_size_t issued[MOST_RANKS];
static struct card cards[MOST_RANKS];

static void check(int result, const char *what)
{
    if (result != PTL_OK) {
        fprintf(stderr, "%s: error %d of Portals\n", what, result);
        target_abort();
    }
}

/* Portals moves what others do by itself. */
static inline void relax(void)
{
}

static inline ptl_size_t offset(const void *word)
{
    return (ptl_size_t)((const char *)word - (const char *)&shared);
}

static void write_words(int owner, const int64_t *from, const void *to, int count)
{
    issued[owner]++;
    check(PtlPut(descriptor[owner], offset(from), sizeof(int64_t) * count, PTL_CT_ACK_REQ, cards[owner].process, table,
                 0, offset(to), NULL, 0),
          "PtlPut");
}

static inline void put(int target, int owner, int from)
{
    write_words(owner, place(from), place(target), 1);
}

static inline void get(int into, int target, int owner)
{
    issued[owner]++;
    check(PtlGet(descriptor[owner], offset(place(into)), sizeof(int64_t), cards[owner].process, table, 0,
                 offset(place(target)), NULL),
          "PtlGet");
}

static inline void rga(int into, int target, int owner, int operand)
{
    issued[owner]++;
    check(PtlFetchAtomic(descriptor[owner], offset(place(into)), descriptor[owner], offset(place(operand)),
                         sizeof(int64_t), cards[owner].process, table, 0, offset(place(target)), NULL, 0, PTL_SUM,
                         PTL_INT64_T),
          "PtlFetchAtomic");
}

static inline void cas(int into, int target, int owner, int compare, int swap)
{
    int64_t expected = __atomic_load_n(place(compare), __ATOMIC_SEQ_CST);
    issued[owner]++;
    check(PtlSwap(descriptor[owner], offset(place(into)), descriptor[owner], offset(place(swap)), sizeof(int64_t),
                  cards[owner].process, table, 0, offset(place(target)), NULL, 0, &expected, PTL_CSWAP, PTL_INT64_T),
          "PtlSwap");
}

static inline void flush(int owner)
{
    ptl_ct_event_t event;
    check(PtlCTWait(done[owner], issued[owner], &event), "PtlCTWait");
    if (event.failure != 0) {
        fprintf(stderr, "%lu operations failed at rank %d\n", (unsigned long)event.failure, owner);
        target_abort();
    }
}

/* All operations of this rank, at both sides. */
static void complete(void)
{
    for (int owner = 0; owner < all_ranks; owner++)
        flush(owner);
}

static void target_start(int *argc, char ***argv, int *rank, int *ranks)
{
    const char *folder = meeting(rank, ranks);
    (void)argc;
    (void)argv;
    check(PtlInit(), "PtlInit");
    check(PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_PHYSICAL, PTL_PID_ANY, NULL, NULL, &interface),
          "PtlNIInit");
    check(PtlPTAlloc(interface, 0, PTL_EQ_NONE, 0, &table), "PtlPTAlloc");
    ptl_le_t all = {.start = &shared, .length = sizeof shared, .ct_handle = PTL_CT_NONE, .uid = PTL_UID_ANY};
    all.options = PTL_LE_OP_PUT | PTL_LE_OP_GET | PTL_LE_EVENT_COMM_DISABLE;
    check(PtlLEAppend(interface, table, &all, PTL_PRIORITY_LIST, NULL, &entry), "PtlLEAppend");
    for (int owner = 0; owner < all_ranks; owner++) {
        check(PtlCTAlloc(interface, &done[owner]), "PtlCTAlloc");
        ptl_md_t own = {.start = &shared, .length = sizeof shared, .eq_handle = PTL_EQ_NONE, .ct_handle = done[owner]};
        own.options = PTL_MD_EVENT_CT_ACK | PTL_MD_EVENT_CT_REPLY;
        check(PtlMDBind(interface, &own, &descriptor[owner]), "PtlMDBind");
    }
    check(PtlGetPhysId(interface, &cards[own_rank].process), "PtlGetPhysId");
    show_card(folder, &cards[own_rank], sizeof cards[own_rank]);
    for (int other = 0; other < all_ranks; other++)
        see_card(folder, other, &cards[other], sizeof cards[other]);
}

static void barrier(void);

static void target_end(void)
{
    barrier();
    for (int owner = 0; owner < all_ranks; owner++) {
        PtlMDRelease(descriptor[owner]);
        PtlCTFree(done[owner]);
    }
    PtlLEUnlink(entry);
    PtlPTFree(interface, table);
    PtlNIFini(interface);
    PtlFini();
}
