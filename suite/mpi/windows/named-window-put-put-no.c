/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a window whose name must be escaped in reports; each process puts into its own element"} */
/* The puts of the two processes lie side by side and do not overlap (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = rank;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_set_name(win, "halo <b>\"rows\" & columns</b>\n\x1b[31m");

    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
    MPI_Win_fence(0, win);

    if (rank == 0)
        printf("element 1 is %d\n", cells[1]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
