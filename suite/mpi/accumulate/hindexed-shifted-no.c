/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the second block of an hindexed type hits an int exactly"} */
/* The block at byte 8 is the same element as the int of the other process (MPI-4.1 12.3.4, 12.7.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int row[2] = {1, 2};
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Datatype type;
    MPI_Type_create_hindexed_block(2, 1, (MPI_Aint[]){0, 8}, MPI_INT, &type);
    MPI_Type_commit(&type);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Accumulate(row, 2, MPI_INT, 1, 0, 1, type, MPI_SUM, win);
    }
    if (rank == 1) {
        MPI_Accumulate(row, 1, MPI_INT, 1, 2, 1, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0]);
    MPI_Type_free(&type);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
