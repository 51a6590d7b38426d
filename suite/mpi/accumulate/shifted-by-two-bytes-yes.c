/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Accumulate@21", "MPI_Accumulate@24"], "NPROCS": 2, "DESCRIPTION": "two accumulates of MPI_INT, two bytes apart", "RULE": "accumulate-mismatch"} */
/* The elements overlap without being the same: bytes 0..3 and 2..5 (MPI-4.1 12.3.4, 12.7.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1;
    char *x;
    MPI_Win win;
    MPI_Win_allocate(32 * sizeof(char), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 32; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
    }
    if (rank == 1) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 2, 1, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
