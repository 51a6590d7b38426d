/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a neighbour's store through shared memory, a barrier, the owner's load"} */
/* Sync, barrier, sync is the pattern that the standard gives for shared memory windows (MPI-4.1
   12.2.3, 12.7.4). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *mine;
    MPI_Win win;
    MPI_Win_allocate_shared(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    mine[0] = 0;
    MPI_Win_fence(0, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);

    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    if (rank == 0) {
        MPI_Aint size;
        int unit, *theirs;
        MPI_Win_shared_query(win, 1, &size, &unit, &theirs);
        theirs[0] = 17;
    }
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == 1) {
        int seen = mine[0];
        printf("rank 1 sees %d\n", seen);
    }
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
