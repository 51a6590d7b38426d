/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "some make a communicator of their own, then a barrier of all orders put and load"} */
/* MPI_Comm_create_group is collective over the group only: rank 1 makes no call, and the collective calls on
   MPI_COMM_WORLD that follow meet as they should (MPI-4.1 7.4.2, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, value = 4, *cells;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Group world, first;
    MPI_Comm alone = MPI_COMM_NULL;
    int leader = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &leader, &first);
    if (rank == 0)
        MPI_Comm_create_group(MPI_COMM_WORLD, first, 3, &alone);

    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[2] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", cells[2]);

    if (alone != MPI_COMM_NULL)
        MPI_Comm_free(&alone);
    MPI_Group_free(&first);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
