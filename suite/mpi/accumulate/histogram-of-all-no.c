/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "all processes count into a shared histogram, the owner reads it after the fence"} */
/* The closing fence completes all accumulates; among themselves they are atomic (MPI-4.1 12.3.4,
   12.7.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long one = 1, total = 0;
    long *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Win_fence(0, win);
    for (int i = 0; i < 20; i++)
        MPI_Accumulate(&one, 1, MPI_LONG, i % 2, (i * 7) % 8, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 8; i++)
        total += x[i];
    printf("%ld\n", total);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
