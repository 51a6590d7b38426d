/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@22", "LOAD@27"], "NPROCS": 2, "DESCRIPTION": "the load stands between MPI_Irecv and the loop over MPI_Test", "RULE": "remote-race"} */
/* Posting the receive orders nothing; its completion does (MPI-4.1 3.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    int value = 7, seen = 0, note = 0, done = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Send(&note, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&note, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        seen = x[0];
        while (!done)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);

    printf("%d\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
