/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a put to a gap of the vector that an accumulate updates through"} */
/* The vector covers x[0], x[2], x[4]; the put writes x[3] (MPI-4.1 5.1.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int row[3] = {1, 2, 3};
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Datatype type;
    MPI_Type_vector(3, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Accumulate(row, 3, MPI_INT, 1, 0, 1, type, MPI_SUM, win);
    }
    if (rank == 1) {
        MPI_Put(row, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0]);
    MPI_Type_free(&type);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
