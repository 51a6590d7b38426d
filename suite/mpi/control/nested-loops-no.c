/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "two nested loops stay in the interior of a grid, a put writes the edge"} */
/* The loops cover rows 1..6 and columns 1..6, the put writes column 0 (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double edge[8] = {0.0};
    double *x;
    MPI_Win win;
    MPI_Win_allocate(64 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 64; i++)
        x[i] = 0;

    double (*grid)[8] = (double (*)[8])x;
    MPI_Datatype column;
    MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Put(edge, 8, MPI_DOUBLE, 1, 0, 1, column, win);
    else
        for (int i = 1; i < 7; i++)
            for (int j = 1; j < 7; j++)
                grid[i][j] = i + j;
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%f\n", x[0]);
    MPI_Type_free(&column);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
