/* put and get are Rput and Rget, an owner's accesses loads and stores: the mapping of Dan et al. 2016, Table 2. MPI
   makes none of them atomic, but for what the hardware does. */

static inline void put(int target, int owner, int from)
{
    MPI_Rput(place(from), 1, MPI_INT64_T, owner, target * STRIDE, 1, MPI_INT64_T, window, request());
}

static inline void get(int into, int target, int owner)
{
    MPI_Rget(place(into), 1, MPI_INT64_T, owner, target * STRIDE, 1, MPI_INT64_T, window, request());
}
