/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@25", "MPI_Get@26"], "NPROCS": 2, "DESCRIPTION": "two gets write the same strided part of an array", "RULE": "local-race"} */
/* Both gets write row[0], row[2], row[4], row[6] (MPI-4.1 12.3.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int row[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = rank;

    MPI_Datatype type;
    MPI_Type_vector(4, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Get(row, 1, type, 1, 0, 4, MPI_INT, win);
        MPI_Get(row, 1, type, 1, 4, 4, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d %d\n", row[0], row[1]);
    MPI_Type_free(&type);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
