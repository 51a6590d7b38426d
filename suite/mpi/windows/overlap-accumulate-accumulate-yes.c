/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Accumulate@21", "MPI_Accumulate@23"], "NPROCS": 2, "DESCRIPTION": "the same accumulate through two windows over the same memory"} */
/* Accumulates are atomic with each other on one window only; concurrent ones through overlapping
   windows are undefined (MPI-4.1 12.2.1, 12.7.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int total[4] = {0};
    int one = 1;
    MPI_Win first, second;
    MPI_Win_create(total, sizeof total, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &first);
    MPI_Win_create(total, sizeof total, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &second);

    MPI_Win_fence(0, first);
    MPI_Win_fence(0, second);
    if (rank == 0)
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, first);
    if (rank == 1)
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, second);
    MPI_Win_fence(0, second);
    MPI_Win_fence(0, first);

    if (rank == 0)
        printf("total %d\n", total[0]);
    MPI_Win_free(&second);
    MPI_Win_free(&first);
    MPI_Finalize();
    return 0;
}
