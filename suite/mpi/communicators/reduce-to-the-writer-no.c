/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a reduction to the owner orders the put before the owner's store"} */
/* The root, who is the owner, has the result only after the writer has contributed (MPI-4.1
   6.9.1, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 4, sum = 0;
    MPI_Comm pair;
    MPI_Win win;
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &pair);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, pair, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    }
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 1, pair);
    if (rank == 1)
        cells[2] = 1;
    MPI_Win_unlock_all(win);

    printf("rank %d: sum %d\n", rank, sum);
    MPI_Win_free(&win);
    MPI_Comm_free(&pair);
    MPI_Finalize();
    return 0;
}
