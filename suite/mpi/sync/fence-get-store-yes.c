/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Get@20", "STORE@22"], "NPROCS": 2, "DESCRIPTION": "the owner stores into the cell that a get reads in the same fence epoch", "RULE": "remote-race"} */
/* The store lies in the exposure epoch in which the get reads (MPI-4.1 12.5.1, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    if (rank == 1)
        x[0] = 3;
    MPI_Win_fence(0, win);
    printf("%d %d\n", x[0], value);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
