/* Process 0 puts a number into the memory of process 1. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, *memory, answer = 42;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    *memory = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        MPI_Put(&answer, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        printf("%d\n", *memory);

    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
