/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@20", "STORE@22"], "NPROCS": 2, "DESCRIPTION": "the flush names the world rank of the target instead of its rank in the window's communicator"} */
/* World rank 0 puts to world rank 1, which is target 0 on `reversed`; a flush of target 1
   flushes itself (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 1;
    MPI_Comm reversed;
    MPI_Win win;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, reversed, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        value = 2;
    }
    MPI_Win_unlock_all(win);

    printf("world rank %d: value %d\n", rank, value);
    MPI_Win_free(&win);
    MPI_Comm_free(&reversed);
    MPI_Finalize();
    return 0;
}
