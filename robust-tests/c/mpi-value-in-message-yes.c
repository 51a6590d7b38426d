// robust: yes
// from: A message that says how many elements were put
// why: The receiver goes by the number that it is sent; the flush completes the put before that.
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
    if (me == 0) {
        int value[2] = {5, 6}, count = 2;
        MPI_Put(value, 2, MPI_INT, 1, 0, 2, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Send(&count, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (me == 1) {
        int count;
        MPI_Recv(&count, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (count == 2) {
            volatile int got = memory[0] + memory[1];
            (void)got;
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
