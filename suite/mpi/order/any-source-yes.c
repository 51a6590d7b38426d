/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@26", "LOAD@23"], "NPROCS": 3, "DESCRIPTION": "two origins report with messages, the owner waits for one of any source", "RULE": "remote-race"} */
/* The message may be of either origin; the put of the other is not ordered before the sum (MPI-4.1
   3.2.4, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7, seen = 0, note = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Recv(&note, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        seen = x[0] + x[2];
        MPI_Recv(&note, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Put(&value, 1, MPI_INT, 1, rank, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Send(&note, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);

    printf("%d\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
