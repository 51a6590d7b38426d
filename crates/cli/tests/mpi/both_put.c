/* Every process puts into the memory of process 0, at one place and in one epoch: a race. */
#include <mpi.h>

static void write_to(int target, int value, MPI_Win win) {
    MPI_Put(&value, 1, MPI_INT, target, 0, 1, MPI_INT, win);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, *memory;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    write_to(0, rank, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
