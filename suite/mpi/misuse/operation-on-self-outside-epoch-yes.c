/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Put@17"], "NPROCS": 2, "DESCRIPTION": "a put to the own window memory outside an epoch", "RULE": "outside-epoch"} */
/* Operations on the own part of the window need an epoch as well (MPI-4.1 12.5). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 1;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);

    MPI_Put(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, win);

    printf("rank %d done\n", rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
