/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the second of two rgets is used after MPI_Wait on its own request"} */
/* MPI_Wait completes the rget whose data is read (MPI-4.1 12.3.5). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request requests[2];
    int left = 0, right = 0, seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Rget(&left, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &requests[0]);
        MPI_Rget(&right, 1, MPI_INT, 1, 1, 1, MPI_INT, win, &requests[1]);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        seen = right;
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d\n", left, seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
