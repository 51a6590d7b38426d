/* {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "the probe is of the sender, and the message is received before the load"} */
/* MPI-4.1 3.10: the message of MPI_PROC_NULL is empty and always there. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, value = 7, seen = 0, note = 0, count = -1;
    int *x;
    MPI_Win win;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    x[0] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Send(&note, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else {
        MPI_Probe(0, 5, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        MPI_Recv(&note, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        seen = x[0];
    }
    MPI_Win_unlock_all(win);
    printf("%d %d\n", seen, count);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
