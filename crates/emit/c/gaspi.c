/* GASPI 17.1. A variable is a word of segment 0 or, if it is a flag, the notification of its number there. */
#include <GASPI.h>

#define HAS_FLAGS

enum { SEGMENT = 0, MOST_QUEUES = 4, MOST_RANKS = 64 };

/* The queue that the next operation is handed to. */
static int queue;
static int64_t *memory;
static gaspi_rank_t own, all_ranks;

static void target_abort(void)
{
    fflush(stdout);
    exit(2);
}

#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        gaspi_return_t code = (call);                                                                                  \
        if (code != GASPI_SUCCESS) {                                                                                   \
            gaspi_string_t message = "";                                                                               \
            gaspi_print_error(code, &message);                                                                         \
            fprintf(stderr, "rank %d: %s: %s\n", own, #call, message);                                                 \
            target_abort();                                                                                            \
        }                                                                                                              \
    } while (0)

static void target_start(int *argc, char ***argv, int *rank, int *ranks)
{
    gaspi_config_t config;
    gaspi_pointer_t pointer;
    (void)argc;
    (void)argv;
    MUST(gaspi_config_get(&config));
    config.queue_num = MOST_QUEUES;
    MUST(gaspi_config_set(config));
    MUST(gaspi_proc_init(GASPI_BLOCK));
    MUST(gaspi_proc_rank(&own));
    MUST(gaspi_proc_num(&all_ranks));
    if (all_ranks > MOST_RANKS) {
        fprintf(stderr, "more than %d ranks\n", MOST_RANKS);
        target_abort();
    }
    MUST(gaspi_segment_create(SEGMENT, MOST_VARIABLES * STRIDE * sizeof(int64_t), GASPI_GROUP_ALL, GASPI_BLOCK,
                              GASPI_MEM_INITIALIZED));
    MUST(gaspi_segment_ptr(SEGMENT, &pointer));
    memory = pointer;
    *rank = own;
    *ranks = all_ranks;
}

static void barrier(void)
{
    MUST(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
}

static void target_end(void)
{
    fflush(stdout);
    barrier();
    MUST(gaspi_proc_term(GASPI_BLOCK));
}

static inline gaspi_offset_t offset(int variable)
{
    return (gaspi_offset_t)variable * STRIDE * sizeof(int64_t);
}

static inline int64_t *place(int variable)
{
    return memory + variable * STRIDE;
}

/* Values of all ranks at every rank, one rank after the other. A value is not 0 at its own rank only: a sum is all of
   them. */
static void collect(const int64_t *seen, int64_t *all, int count)
{
    int64_t sum[MOST_SEEN];
    if (count > 0)
        MUST(gaspi_allreduce(seen, sum, count, GASPI_OP_SUM, GASPI_TYPE_LONG, GASPI_GROUP_ALL, GASPI_BLOCK));
    for (int rank = 0; rank < all_ranks; rank++)
        memcpy(all + rank * count, sum, sizeof(int64_t) * count);
}

static inline void on(int number)
{
    queue = number;
}

static inline void put(int target, int owner, int from)
{
    MUST(gaspi_write(SEGMENT, offset(from), owner, SEGMENT, offset(target), sizeof(int64_t), queue, GASPI_BLOCK));
}

static inline void get(int into, int target, int owner)
{
    MUST(gaspi_read(SEGMENT, offset(into), owner, SEGMENT, offset(target), sizeof(int64_t), queue, GASPI_BLOCK));
}

static inline void notify(int flag, int owner, unsigned value)
{
    MUST(gaspi_notify(SEGMENT, owner, flag, value, queue, GASPI_BLOCK));
}

static inline void put_notify(int target, int owner, int from, int flag, unsigned value)
{
    MUST(gaspi_write_notify(SEGMENT, offset(from), owner, SEGMENT, offset(target), sizeof(int64_t), flag, value, queue,
                            GASPI_BLOCK));
}

static inline void get_notify(int into, int target, int owner, int flag)
{
    MUST(gaspi_read_notify(SEGMENT, offset(into), owner, SEGMENT, offset(target), sizeof(int64_t), flag, queue,
                           GASPI_BLOCK));
}

static inline void wait_queue(int number)
{
    MUST(gaspi_wait(number, GASPI_BLOCK));
}

static inline void await(int flag)
{
    gaspi_notification_id_t first;
    MUST(gaspi_notify_waitsome(SEGMENT, flag, 1, &first, GASPI_BLOCK));
}

static inline int64_t take(int flag)
{
    gaspi_notification_t value;
    MUST(gaspi_notify_reset(SEGMENT, flag, &value));
    return value;
}

/* A flag of this rank, before a run. */
static void set_flag(int flag, int64_t value)
{
    take(flag);
    if (value == 0)
        return;
    notify(flag, own, value);
    await(flag);
}

static inline void rga(int into, int target, int owner, int operand)
{
    gaspi_atomic_value_t old;
    MUST(gaspi_atomic_fetch_add(SEGMENT, offset(target), owner, __atomic_load_n(place(operand), __ATOMIC_SEQ_CST), &old,
                                GASPI_BLOCK));
    __atomic_store_n(place(into), (int64_t)old, __ATOMIC_SEQ_CST);
}

static inline void cas(int into, int target, int owner, int compare, int swap)
{
    gaspi_atomic_value_t old;
    MUST(gaspi_atomic_compare_swap(SEGMENT, offset(target), owner, __atomic_load_n(place(compare), __ATOMIC_SEQ_CST),
                                   __atomic_load_n(place(swap), __ATOMIC_SEQ_CST), &old, GASPI_BLOCK));
    __atomic_store_n(place(into), (int64_t)old, __ATOMIC_SEQ_CST);
}

/* All operations of all ranks, at both sides. gaspi_wait is local: what has arrived is known by a notification after it
   in the same queue, to the same rank. Notifications of tests are not ordered before these by the letter of 8.3.2; no
   call says more. */
static void complete(void)
{
    for (int number = 0; number < MOST_QUEUES; number++) {
        for (int rank = 0; rank < all_ranks; rank++)
            MUST(gaspi_notify(SEGMENT, rank, MOST_VARIABLES + own * MOST_QUEUES + number, 1, number, GASPI_BLOCK));
        wait_queue(number);
    }
    for (int id = 0; id < MOST_QUEUES * all_ranks; id++) {
        await(MOST_VARIABLES + id);
        take(MOST_VARIABLES + id);
    }
}

/* Between two statements: nothing to be done. */
static inline void relax(void)
{
}
