/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@26", "LOAD@32"], "NPROCS": 2, "DESCRIPTION": "the load follows the message on the wrong communicator", "RULE": "remote-race"} */
/* The message on MPI_COMM_WORLD was sent before the put (MPI-4.1 7.1, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    int value = 7, seen = 0, note = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Comm twin;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Isend(&note, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Send(&note, 1, MPI_INT, 1, 0, twin);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&note, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        seen = x[0];
        MPI_Recv(&note, 1, MPI_INT, 0, 0, twin, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);

    printf("%d\n", seen);
    MPI_Comm_free(&twin);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
