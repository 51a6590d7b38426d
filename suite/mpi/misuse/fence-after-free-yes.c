/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_fence@17"], "NPROCS": 2, "DESCRIPTION": "a fence of a window that was freed", "RULE": "invalid-argument"} */
/* MPI_Win_free sets the handle to MPI_WIN_NULL (MPI-4.1 12.2.5). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);

    MPI_Win_free(&win);
    MPI_Win_fence(0, win);

    printf("rank %d done\n", rank);
    MPI_Finalize();
    return 0;
}
