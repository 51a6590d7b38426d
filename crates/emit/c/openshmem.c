/* OpenSHMEM. put and get are the non-blocking ones, flush is quiet, which knows no single target. So are rga and cas
   from 1.5 on; 1.4 has no non-blocking fetching atomics: there they are complete when they return, which is more than
   the models ask for. */
#include <shmem.h>

#define HAS_ATOMIC_NBI (SHMEM_MAJOR_VERSION > 1 || (SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION >= 5))

_Static_assert(sizeof(long) == sizeof(int64_t), "atomics of 8 bytes are those of long");

static int64_t *memory;
static int64_t *gathered;

enum { MOST_COLLECTED = 64, MOST_RANKS = 64 };

static void target_start(int *argc, char ***argv, int *rank, int *ranks)
{
    (void)argc;
    (void)argv;
    shmem_init();
    *rank = shmem_my_pe();
    *ranks = shmem_n_pes();
    memory = shmem_malloc(MOST_VARIABLES * STRIDE * sizeof(int64_t));
    gathered = shmem_malloc(MOST_COLLECTED * MOST_RANKS * sizeof(int64_t));
    if (memory == NULL || gathered == NULL || *ranks > MOST_RANKS) {
        fprintf(stderr, "no symmetric memory, or more than %d ranks\n", MOST_RANKS);
        shmem_global_exit(2);
    }
}

/* Not shmem_finalize: that of Open MPI 4.1.4 can end in a segmentation fault, even in a program that does nothing
   else. */
static void target_end(void)
{
    fflush(stdout);
    shmem_barrier_all();
    shmem_global_exit(0);
}

static void target_abort(void)
{
    shmem_global_exit(2);
}

static inline int64_t *place(int variable)
{
    return memory + variable * STRIDE;
}

static void barrier(void)
{
    shmem_barrier_all();
}

/* A barrier of a test completes nothing. */
#define TEST_BARRIER
static inline void test_barrier(void)
{
    shmem_sync_all();
}

/* Values of rank 0 after those of rank 1, and so on, at rank 0. */
static void collect(const int64_t *own, int64_t *all, int count)
{
    shmem_put64(gathered + shmem_my_pe() * count, own, count, 0);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        memcpy(all, gathered, sizeof(int64_t) * count * shmem_n_pes());
    shmem_barrier_all();
}

static inline void put(int target, int owner, int from)
{
    shmem_put64_nbi(place(target), place(from), 1, owner);
}

static inline void get(int into, int target, int owner)
{
    shmem_get64_nbi(place(into), place(target), 1, owner);
}

static inline void rga(int into, int target, int owner, int operand)
{
    int64_t value = __atomic_load_n(place(operand), __ATOMIC_SEQ_CST);
#if HAS_ATOMIC_NBI
    shmem_long_atomic_fetch_add_nbi((long *)place(into), (long *)place(target), value, owner);
#else
    value = shmem_long_atomic_fetch_add((long *)place(target), value, owner);
    __atomic_store_n(place(into), value, __ATOMIC_SEQ_CST);
#endif
}

static inline void cas(int into, int target, int owner, int compare, int swap)
{
    int64_t expected = __atomic_load_n(place(compare), __ATOMIC_SEQ_CST);
    int64_t value = __atomic_load_n(place(swap), __ATOMIC_SEQ_CST);
#if HAS_ATOMIC_NBI
    shmem_long_atomic_compare_swap_nbi((long *)place(into), (long *)place(target), expected, value, owner);
#else
    value = shmem_long_atomic_compare_swap((long *)place(target), expected, value, owner);
    __atomic_store_n(place(into), value, __ATOMIC_SEQ_CST);
#endif
}

static inline void flush(int owner)
{
    (void)owner;
    shmem_quiet();
}

/* All operations of this rank, at both sides. */
static void complete(void)
{
    shmem_quiet();
}

/* Between two statements: nothing to be done. */
static inline void relax(void)
{
}
