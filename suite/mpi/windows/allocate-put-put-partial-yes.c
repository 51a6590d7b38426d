/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@19", "MPI_Put@21"], "NPROCS": 2, "DESCRIPTION": "two puts by two processes overlap in one element of an allocated window"} */
/* Both processes put within the same fence epoch and the ranges [2,6) and [5,9) share element 5
   (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells;
    int values[4] = {1, 2, 3, 4};
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    if (rank == 0)
        MPI_Put(values, 4, MPI_INT, 1, 2, 4, MPI_INT, win);
    if (rank == 1)
        MPI_Put(values, 4, MPI_INT, 1, 5, 4, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);

    if (rank == 1)
        printf("element 5 is %d\n", cells[5]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
