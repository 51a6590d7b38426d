/* Processes of each host share memory: the second one reads what the first one stores; with an argument, after a
   barrier. On each host this is a window of its own. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm node;
    MPI_Win win;
    MPI_Aint bytes;
    int here, unit, *mine, *first, seen = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &here);
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, node, &mine, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &first);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    if (here == 0)
        *first = 17; /* the store */
    MPI_Win_sync(win);
    if (argc > 1)
        MPI_Barrier(node);
    MPI_Win_sync(win);
    if (here == 1)
        seen = *first; /* the load */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return seen != 0 && seen != 17;
}
