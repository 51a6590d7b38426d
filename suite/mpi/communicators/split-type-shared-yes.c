/* {"RACE_KIND": "remote", "RACE_PAIR": ["STORE@26", "LOAD@29"], "NPROCS": 2, "DESCRIPTION": "a shared window on the node's communicator, stored to by one process and loaded by another at once", "RULE": "shared-memory-race"} */
/* All processes of the node share the memory; without a barrier the direct accesses are
   unordered (MPI-4.1 12.2.3, 7.4.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *mine, *first, unit, local_rank;
    MPI_Aint size;
    MPI_Comm node;
    MPI_Win win;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &local_rank);
    MPI_Win_allocate_shared(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, node, &mine, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &first);
    if (local_rank == 0)
        first[6] = 0;
    MPI_Barrier(node);

    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    if (local_rank == 1)
        first[6] = 12;
    MPI_Win_sync(win);
    if (local_rank == 0)
        printf("rank %d sees %d\n", rank, first[6]);
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}
