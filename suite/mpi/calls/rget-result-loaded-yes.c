/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Rget@23", "LOAD@24"], "NPROCS": 2, "DESCRIPTION": "the data of an rget is used before MPI_Wait", "RULE": "local-race"} */
/* The rget may write its origin buffer until its request is complete (MPI-4.1 12.3.5). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    int value = 0, seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Rget(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);
        seen = value;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
