/* Every access of a window is an accumulate, an owner's own ones too: these are atomic among themselves and to rga
   and cas (MPI-4.1 12.7.1), and those of one origin at one place keep their order (12.7.2). What an operation reads
   or writes at its origin is no access of the window to MPI, and has no such promise. */

static inline void put(int target, int owner, int from)
{
    MPI_Raccumulate(place(from), 1, MPI_INT64_T, owner, target * STRIDE, 1, MPI_INT64_T, MPI_REPLACE, window, request());
}

static inline void get(int into, int target, int owner)
{
    MPI_Rget_accumulate(NULL, 0, MPI_INT64_T, place(into), 1, MPI_INT64_T, owner, target * STRIDE, 1, MPI_INT64_T,
                        MPI_NO_OP, window, request());
}

/* A fetch that is complete at its origin is complete at its target; other operations stay pending. */
static inline int64_t exchange(int variable, int64_t value, MPI_Op operation)
{
    int64_t before = 0;
    MPI_Request fetched;
    MPI_Rget_accumulate(&value, 1, MPI_INT64_T, &before, 1, MPI_INT64_T, own_rank, variable * STRIDE, 1, MPI_INT64_T,
                        operation, window, &fetched);
    MPI_Wait(&fetched, MPI_STATUS_IGNORE);
    return before;
}

static inline int64_t load(int variable)
{
    return exchange(variable, 0, MPI_NO_OP);
}

static inline void store(int variable, int64_t value)
{
    exchange(variable, value, MPI_REPLACE);
}
