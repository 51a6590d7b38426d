/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@26", "LOAD@29"], "NPROCS": 2, "DESCRIPTION": "the epoch of another window is closed before the load", "RULE": "remote-race"} */
/* A fence completes the operations on its own window only; the put is on the other one (MPI-4.1
   12.5.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7, seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Win other;
    int *y;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &y, &other);

    MPI_Win_fence(0, win);
    MPI_Win_fence(0, other);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, other);
    if (rank == 1)
        seen = x[0];
    MPI_Win_fence(0, win);

    printf("%d\n", seen);
    MPI_Win_free(&other);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
