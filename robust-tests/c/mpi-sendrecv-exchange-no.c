// robust: no
// from: An exchange of puts, then of messages between the two processes
// why: Both messages may overtake both puts.
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
    int value = me + 1, word = 0, other = 1 - me;
    MPI_Put(&value, 1, MPI_INT, other, 0, 1, MPI_INT, win);
    MPI_Sendrecv(&value, 1, MPI_INT, other, 0, &word, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    volatile int got = memory[0];
    (void)got;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
