/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a put gathers a vector and writes a plain run; the owner reads past the run"} */
/* At the target there are three elements only; the stride is at the origin (MPI-4.1 12.3.1). */
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
    MPI_Type_vector(3, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(row, 1, type, 1, 0, 3, MPI_INT, win);
    } else {
        seen = x[4];
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", seen);
    MPI_Type_free(&type);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
