/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@22", "LOAD@23"], "NPROCS": 2, "DESCRIPTION": "the first element of a get's origin array is read too early", "RULE": "local-race"} */
/* The get may write row[1] to row[4] until it is complete (MPI-4.1 12.3.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int row[5] = {0}, seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Get(&row[1], 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        seen = row[1];
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
