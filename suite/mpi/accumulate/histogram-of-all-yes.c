/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Accumulate@20", "LOAD@22"], "NPROCS": 2, "DESCRIPTION": "all processes count into a shared histogram, the owner reads it too early", "RULE": "remote-race"} */
/* The owner reads its part while others may still add to it (MPI-4.1 12.5.1, 12.7). */
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
    for (int i = 0; i < 8; i++)
        total += x[i];
    MPI_Win_fence(0, win);
    printf("%ld\n", total);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
