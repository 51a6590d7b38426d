/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Finalize@25"], "NPROCS": 2, "DESCRIPTION": "MPI_Finalize with a request-based get that was neither waited for nor flushed", "RULE": "finalized-in-epoch"} */
/* The get is pending and its epoch open (MPI-4.1 11.2.2, 12.3.4). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells;
    static int copy;
    MPI_Request request;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[0] = rank;
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    MPI_Rget(&copy, 1, MPI_INT, rank, 0, 1, MPI_INT, win, &request);

    printf("rank %d done\n", rank);
    MPI_Finalize();
    return 0;
}
