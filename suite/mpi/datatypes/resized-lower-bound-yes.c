/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@26", "LOAD@28"], "NPROCS": 2, "DESCRIPTION": "the owner reads where a resized type with a lower bound has its data", "RULE": "remote-race"} */
/* A lower bound of -4 moves no data: the first element is x[4], the next, an extent of 8 bytes
   further, x[6] (MPI-4.1 5.1.7, 5.1.8). */
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
    MPI_Type_create_resized(MPI_INT, -4, 8, &type);
    MPI_Type_commit(&type);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(row, 2, MPI_INT, 1, 4, 2, type, win);
    } else {
        seen = x[6];
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", seen);
    MPI_Type_free(&type);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
