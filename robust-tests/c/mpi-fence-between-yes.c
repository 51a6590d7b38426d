// robust: yes
// from: A put between fences, and a fence before it is read
// why: Each fence completes the puts before it, and all have read before the next one.
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    int value = me;
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, 1 - me, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    volatile int got = memory[0];
    (void)got;
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
