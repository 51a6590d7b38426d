/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "two processes store directly to the same word of a shared window, a fence apart"} */
/* The fence orders the processes and synchronises the window (MPI-4.1 12.2.3, 12.5.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *mine, *first;
    MPI_Aint size;
    int unit;
    MPI_Win win;
    MPI_Win_allocate_shared(rank == 0 ? 8 * sizeof(double) : 0, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &first);

    MPI_Win_fence(0, win);
    if (rank == 0)
        first[7] = 1.0;
    MPI_Win_fence(0, win);
    if (rank == 1)
        first[7] = 2.0;
    MPI_Win_fence(0, win);

    printf("rank %d: %g\n", rank, first[7]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
