/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@23", "LOAD@30"], "NPROCS": 2, "DESCRIPTION": "of two posted receives the first is completed before the load", "RULE": "remote-race"} */
/* The message with tag 1 was sent before the put (MPI-4.1 3.7.5, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request requests[2];
    int value = 7, seen = 0, note = 0, notes[2];
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Send(&note, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Send(&note, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&notes[i], 1, MPI_INT, 0, i + 1, MPI_COMM_WORLD, &requests[i]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        seen = x[0];
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);

    printf("%d\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
