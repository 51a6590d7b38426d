/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Accumulate@26", "MPI_Accumulate@29"], "NPROCS": 2, "DESCRIPTION": "an accumulate through a vector of floats meets one of integers", "RULE": "accumulate-mismatch"} */
/* x[2] is updated as MPI_FLOAT by one and as MPI_INT by the other (MPI-4.1 12.3.4, 12.7.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1;
    float row[3] = {1.0f, 2.0f, 3.0f};
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Datatype type;
    MPI_Type_vector(3, 1, 2, MPI_FLOAT, &type);
    MPI_Type_commit(&type);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Accumulate(row, 3, MPI_FLOAT, 1, 0, 1, type, MPI_SUM, win);
    }
    if (rank == 1) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 2, 1, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0]);
    MPI_Type_free(&type);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
