/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the owner reads past the last block of a vector"} */
/* The last block ends with x[9]; its stride reaches further, its data does not (MPI-4.1 5.1.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int row[8] = {1, 2, 3, 4, 5, 6, 7, 8}, seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = rank;

    MPI_Datatype type;
    MPI_Type_vector(3, 2, 4, MPI_INT, &type);
    MPI_Type_commit(&type);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(row, 6, MPI_INT, 1, 0, 1, type, win);
    } else {
        seen = x[10];
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", seen);
    MPI_Type_free(&type);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
