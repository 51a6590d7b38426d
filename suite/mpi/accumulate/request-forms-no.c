/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "an raccumulate and an rget_accumulate of one cell, both with MPI_PROD"} */
/* Same operator, same basic type (MPI-4.1 12.2.1, accumulate_ops; 12.7.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    int one = 1, before = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Raccumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_PROD, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 1) {
        MPI_Rget_accumulate(&one, 1, MPI_INT, &before, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_PROD, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d %d\n", x[0], before);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
