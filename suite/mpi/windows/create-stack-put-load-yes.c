/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@19", "LOAD@23"], "NPROCS": 2, "DESCRIPTION": "put into a stack array, read after a barrier without a flush"} */
/* The barrier orders the processes, but the put is not complete at the target before
   MPI_Win_unlock_all (MPI-4.1 12.5.3, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int cells[8] = {0};
    int value = 41 + rank;
    MPI_Win win;
    MPI_Win_create(cells, sizeof cells, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 5, 1, MPI_INT, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        int seen = cells[5];
        printf("rank 1 sees %d\n", seen);
    }
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
