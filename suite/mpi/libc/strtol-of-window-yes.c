/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@20", "strtol@22"], "NPROCS": 2, "DESCRIPTION": "the owner parses a number in its window by strtol while a put writes to it"} */
/* strtol loads from the window before the closing fence (MPI-4.1 12.7). */
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
    if (rank == 1)
        number = strtol(digits, NULL, 10);
    MPI_Win_fence(0, win);

    printf("rank %d: %ld\n", rank, number);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
