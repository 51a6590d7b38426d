/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@22", "LOAD@27"], "NPROCS": 2, "DESCRIPTION": "a non-blocking barrier is started but not complete when the owner loads"} */
/* MPI_Ibarrier orders nothing before its request is completed (MPI-4.1 6.12.1, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 4, seen;
    MPI_Comm copy;
    MPI_Request request;
    MPI_Win win;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, copy, &cells, &win);
    cells[0] = 0;
    MPI_Barrier(copy);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    }
    MPI_Ibarrier(copy, &request);
    if (rank == 1) {
        seen = cells[0];
        printf("rank 1 sees %d\n", seen);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
