/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Raccumulate@24", "LOAD@29"], "NPROCS": 2, "DESCRIPTION": "the target of an raccumulate is read after MPI_Wait at the origin and a barrier", "RULE": "remote-race"} */
/* MPI_Wait completes MPI_Raccumulate at the origin only; at the target it is still pending (MPI-4.1
   12.3.5). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    int value = 7, seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Raccumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        seen = x[0];
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d %d\n", x[0], seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
