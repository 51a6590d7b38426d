/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the owner reads the edge of a grid whose interior a put writes"} */
/* grid[2][5] is in the edge column, between two rows of the subarray (MPI-4.1 5.1.3). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double block[8] = {0.0}, seen = 0.0;
    double *x;
    MPI_Win win;
    MPI_Win_allocate(24 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 24; i++)
        x[i] = rank;

    double (*grid)[6] = (double (*)[6])x;
    MPI_Datatype type;
    MPI_Type_create_subarray(2, (int[]){4, 6}, (int[]){2, 4}, (int[]){1, 1}, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(block, 8, MPI_DOUBLE, 1, 0, 1, type, win);
    } else {
        seen = grid[2][5];
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%f\n", seen);
    MPI_Type_free(&type);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
