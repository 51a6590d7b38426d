/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@25", "STORE@28"], "NPROCS": 2, "DESCRIPTION": "a put of a matrix column, the owner stores into the same column", "RULE": "remote-race"} */
/* Column 2 is x[2], x[8], x[14], x[20] (MPI-4.1 5.1.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double column[4] = {0.0};
    double *x;
    MPI_Win win;
    MPI_Win_allocate(24 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 24; i++)
        x[i] = rank;

    MPI_Datatype type;
    MPI_Type_vector(4, 1, 6, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(column, 4, MPI_DOUBLE, 1, 2, 1, type, win);
    } else {
        for (int i = 0; i < 4; i++)
            x[6 * i + 2] = 1.0;
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%f\n", x[2]);
    MPI_Type_free(&type);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
