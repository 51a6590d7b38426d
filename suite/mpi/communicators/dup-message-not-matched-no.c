/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the receiver takes the message of MPI_COMM_WORLD, which was sent after the flush"} */
/* The message that follows the flush orders the put before the load (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 4, note = 0;
    MPI_Comm copy;
    MPI_Win win;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Send(&note, 1, MPI_INT, 1, 5, copy);
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Send(&note, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else {
        int seen;
        MPI_Recv(&note, 1, MPI_INT, 0, 5, copy, MPI_STATUS_IGNORE);
        MPI_Recv(&note, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        seen = cells[1];
        printf("rank 1 sees %d\n", seen);
    }
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
