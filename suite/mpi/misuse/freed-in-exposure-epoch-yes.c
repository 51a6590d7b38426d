/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_free@20"], "NPROCS": 2, "DESCRIPTION": "MPI_Win_free after MPI_Win_post without MPI_Win_wait", "RULE": "freed-in-epoch"} */
/* All epochs must be closed before the window is freed (MPI-4.1 12.2.5). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);

    MPI_Win_post(MPI_GROUP_EMPTY, 0, win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
