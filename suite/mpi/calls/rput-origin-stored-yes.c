/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Rput@23", "STORE@24"], "NPROCS": 2, "DESCRIPTION": "the origin buffer of an rput is overwritten before its request is complete", "RULE": "local-race"} */
/* The rput reads its origin buffer until its request is complete (MPI-4.1 12.3.5). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    int value = 7;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Rput(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);
        value = 0;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", value);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
