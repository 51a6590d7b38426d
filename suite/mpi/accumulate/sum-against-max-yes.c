/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Accumulate@22", "MPI_Accumulate@25"], "NPROCS": 2, "DESCRIPTION": "concurrent accumulates of one cell with MPI_SUM and MPI_MAX", "RULE": "accumulate-mismatch"} */
/* By default concurrent accumulates must use the same operator or MPI_NO_OP (MPI-4.1 12.2.1,
   accumulate_ops; 12.7.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_MAX, win);
    }
    if (rank == 1) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
