/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "DESCRIPTION": "a window on a communicator of ranks 0 and 2: its target 1 is world rank 2, which stores an epoch later"} */
/* The fence of the two orders put and store (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Group world, outer;
    int members[2] = {0, 2};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, members, &outer);

    if (rank != 1) {
        int *cells, value = 4;
        MPI_Comm pair;
        MPI_Win win;
        MPI_Comm_create_group(MPI_COMM_WORLD, outer, 0, &pair);
        MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, pair, &cells, &win);

        MPI_Win_fence(0, win);
        if (rank == 0)
            MPI_Put(&value, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
        if (rank == 2)
            cells[3] = 1;
        MPI_Win_fence(0, win);

        printf("world rank %d: %d\n", rank, cells[3]);
        MPI_Win_free(&win);
        MPI_Comm_free(&pair);
    }
    MPI_Group_free(&outer);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
