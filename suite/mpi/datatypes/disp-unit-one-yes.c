/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@21", "LOAD@23"], "NPROCS": 2, "DESCRIPTION": "a put with displacement 8 in units of one byte; the owner reads x[2]", "RULE": "remote-race"} */
/* Displacement 8 times the unit is the byte offset of x[2] (MPI-4.1 12.2.1, 12.3.1). */
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
    MPI_Win_allocate(16 * sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = rank;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(row, 1, MPI_INT, 1, 8, 1, MPI_INT, win);
    } else {
        seen = x[2];
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
