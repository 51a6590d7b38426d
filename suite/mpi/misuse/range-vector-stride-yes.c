/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Put@24"], "NPROCS": 2, "DESCRIPTION": "the last block of a strided target type lies past the end of the window", "RULE": "out-of-range"} */
/* Four blocks 3 elements apart span elements 0 to 9 of a window of 8 (MPI-4.1 12.3, 5.1). */
#include <mpi.h>
#include <stdio.h>

static int cells[32];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int values[4] = {1, 2, 3, 4};
    MPI_Datatype column;
    MPI_Win win;
    MPI_Type_vector(4, 1, 3, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_create(cells, 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(values, 4, MPI_INT, 1, 0, 1, column, win);
    MPI_Win_fence(0, win);

    printf("rank %d done\n", rank);
    MPI_Type_free(&column);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
