/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a get through one window, a fence on the same, then the result is read"} */
/* The fence completes the get at the origin (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *rows, *columns, copy = 0.0;
    MPI_Win row_win, column_win;
    MPI_Win_allocate(8 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &rows, &row_win);
    MPI_Win_allocate(8 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &columns, &column_win);
    rows[0] = columns[0] = 1.5 * rank;

    MPI_Win_fence(0, row_win);
    MPI_Win_fence(0, column_win);
    if (rank == 0)
        MPI_Get(&copy, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, row_win);
    MPI_Win_fence(0, column_win);
    MPI_Win_fence(0, row_win);
    if (rank == 0)
        printf("copied %g\n", 2.0 * copy);
    MPI_Win_fence(0, row_win);

    MPI_Win_free(&column_win);
    MPI_Win_free(&row_win);
    MPI_Finalize();
    return 0;
}
