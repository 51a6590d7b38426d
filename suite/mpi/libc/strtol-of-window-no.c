/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the owner parses a number in its window by strtol after the put's epoch"} */
/* The fence completes the put (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *digits, digit = '9';
    long number = 0;
    MPI_Win win;
    MPI_Win_allocate(16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &digits, &win);
    snprintf(digits, 16, "123456");

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&digit, 1, MPI_CHAR, 1, 1, 1, MPI_CHAR, win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        number = strtol(digits, NULL, 10);
    MPI_Win_fence(0, win);

    printf("rank %d: %ld\n", rank, number);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
