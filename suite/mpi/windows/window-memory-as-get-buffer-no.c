/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a get brings data into window memory, an epoch later another process gets from there"} */
/* The fence completes the first get before the second is issued (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *inbox, copy = 0;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &inbox, &win);
    for (int i = 0; i < 4; i++)
        inbox[i] = 10 * rank + i;

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(&inbox[1], 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Get(&copy, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_fence(0, win);

    printf("rank %d: %d\n", rank, copy);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
