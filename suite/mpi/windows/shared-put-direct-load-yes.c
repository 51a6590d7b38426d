/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@23", "LOAD@24"], "NPROCS": 2, "DESCRIPTION": "a put into a neighbour's shared memory, then a direct load of it by the origin without a flush"} */
/* The put may take effect at the target any time before the unlock; program order does not help
   (MPI-4.1 12.3, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *mine, value = 8;
    MPI_Win win;
    MPI_Win_allocate_shared(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    mine[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        int *theirs, unit;
        MPI_Aint size;
        MPI_Win_shared_query(win, 1, &size, &unit, &theirs);
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        int seen = theirs[1];
        printf("rank 0 sees %d\n", seen);
    }
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
