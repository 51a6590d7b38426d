/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Fetch_and_op@22", "MPI_Fetch_and_op@25"], "NPROCS": 2, "DESCRIPTION": "concurrent fetch_and_op of one cell with MPI_SUM and MPI_REPLACE", "RULE": "accumulate-mismatch"} */
/* By default concurrent accumulates must use the same operator or MPI_NO_OP (MPI-4.1 12.2.1,
   accumulate_ops; 12.7.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, before = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Fetch_and_op(&one, &before, MPI_INT, 1, 0, MPI_SUM, win);
    }
    if (rank == 1) {
        MPI_Fetch_and_op(&one, &before, MPI_INT, 1, 0, MPI_REPLACE, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d %d\n", x[0], before);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
