/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Get@21", "STORE@26"], "NPROCS": 2, "DESCRIPTION": "get from an allocated window while its owner stores after the wrong side of a message"} */
/* The owner stores before it receives the note that the get is over, so nothing orders the two
   (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, copy = 0, note = 0;
    MPI_Win win;
    MPI_Win_allocate(10 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    for (int i = 0; i < 10; i++)
        cells[i] = 10 * rank + i;
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get(&copy, 1, MPI_INT, 1, 9, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
        MPI_Send(&note, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        printf("copied %d\n", copy);
    } else {
        cells[9] = 0;
        MPI_Recv(&note, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
