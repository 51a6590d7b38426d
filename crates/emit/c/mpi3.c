/* MPI-3 RMA. rga and cas are the fetch operations, flush is Win_flush; put, get, load and store follow below. All
   ranks lock all others once; MPI's default error handlers end the job with a message if a call fails. */
#include <mpi.h>

enum { MOST_REQUESTS = 64 };

static MPI_Win window;
static int64_t *memory;
static MPI_Request requests[MOST_REQUESTS];
static MPI_Status statuses[MOST_REQUESTS];
static int pending;
static int own_rank;

static void target_start(int *argc, char ***argv, int *rank, int *ranks)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    own_rank = *rank;
    MPI_Comm_size(MPI_COMM_WORLD, ranks);
    MPI_Win_allocate(MOST_VARIABLES * STRIDE * sizeof(int64_t), sizeof(int64_t), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &memory, &window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
}

static void target_end(void)
{
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
}

static void target_abort(void)
{
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static inline int64_t *place(int variable)
{
    return memory + variable * STRIDE;
}

static void barrier(void)
{
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(window);
}

/* Values of rank 0 after those of rank 1, and so on, at rank 0. */
static void collect(const int64_t *own, int64_t *all, int count)
{
    MPI_Gather(own, count, MPI_INT64_T, all, count, MPI_INT64_T, 0, MPI_COMM_WORLD);
}

static inline MPI_Request *request(void)
{
    if (pending == MOST_REQUESTS) {
        fprintf(stderr, "more than %d operations in one run\n", MOST_REQUESTS);
        target_abort();
    }
    return &requests[pending++];
}

static inline void rga(int into, int target, int owner, int operand)
{
    MPI_Fetch_and_op(place(operand), place(into), MPI_INT64_T, owner, target * STRIDE, MPI_SUM, window);
}

static inline void cas(int into, int target, int owner, int compare, int swap)
{
    MPI_Compare_and_swap(place(swap), place(compare), place(into), MPI_INT64_T, owner, target * STRIDE, window);
}

static inline void flush(int owner)
{
    MPI_Win_flush(owner, window);
}

/* All operations of this rank, at both sides. */
static void complete(void)
{
    MPI_Win_flush_all(window);
    MPI_Waitall(pending, requests, statuses);
    pending = 0;
}

/* Between two statements: nothing to be done. */
static inline void relax(void)
{
}
