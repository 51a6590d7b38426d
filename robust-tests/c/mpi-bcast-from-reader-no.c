// robust: no
// from: A broadcast by the process that reads, taken for a barrier
// why: The root of a broadcast waits for nobody: it may read before or after the put, and the put may be late.
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    (void)n;
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[0] = memory[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    int word = 0;
    if (me == 0) {
        int value[2] = {1, 1};
        MPI_Put(&value[0], 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Put(&value[1], 1, MPI_INT, 1, 1, 1, MPI_INT, win);
    }
    MPI_Bcast(&word, 1, MPI_INT, 1, MPI_COMM_WORLD);
    if (me == 1) {
        volatile int flag = memory[1];
        volatile int got = memory[0];
        (void)flag;
        (void)got;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
