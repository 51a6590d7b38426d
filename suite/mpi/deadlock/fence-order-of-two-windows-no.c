/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "two processes fence two windows in the same order"} */
/* The collective calls match (MPI-4.1 12.5.1, 6.14). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *a, *b;
    MPI_Win low, high;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &a, &low);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &b, &high);
    MPI_Win_set_errhandler(low, MPI_ERRORS_RETURN);
    MPI_Win_set_errhandler(high, MPI_ERRORS_RETURN);

    MPI_Win_fence(0, low);
    MPI_Win_fence(0, high);

    printf("rank %d done\n", rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&high);
    MPI_Win_free(&low);
    MPI_Finalize();
    return 0;
}
