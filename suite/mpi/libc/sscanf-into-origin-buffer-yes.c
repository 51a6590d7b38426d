/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Accumulate@19", "sscanf@20"], "NPROCS": 2, "DESCRIPTION": "sscanf stores a number into the buffer of an accumulate that is not complete"} */
/* The accumulate may read its buffer until the flush (MPI-4.1 12.3.5). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, number = 1;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[0] = 0;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Accumulate(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
        sscanf("42 is read", "%d", &number);
    }
    MPI_Win_unlock_all(win);

    printf("rank %d: %d\n", rank, number);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
