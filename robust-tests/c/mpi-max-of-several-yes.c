// robust: yes
// from: The largest of several numbers at once, and a word by a message
// why: The flush completes the operation before the message.
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    (void)n;
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 8; i++)
        memory[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    int ones[3] = {1, 2, 3};
    if (me == 0) {
        MPI_Accumulate(ones, 3, MPI_INT, 1, 0, 3, MPI_INT, MPI_MAX, win);
        MPI_Win_flush(1, win);
        MPI_Send(ones, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        int word;
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        volatile int got = memory[2];
        (void)got;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
