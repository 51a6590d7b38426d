// robust: no
// from: A put before the receive of a message that MPI_Ssend sends (MPI-4.1 §3.4)
// why: The sender knows that the receive has begun, and so that the put was issued, which is not complete.
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, token = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    int *memory, one = 1;
    MPI_Win win;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[0] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) {
        MPI_Ssend(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        volatile int got = memory[0];
        (void)got;
    } else if (me == 1) {
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
