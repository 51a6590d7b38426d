// robust: yes
// from: Data and a message around a ring that MPI_Cart_create makes
// why: The put is complete before the message is sent.
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n, size = 0, around = 1, from, to;
    MPI_Comm ring;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Dims_create(n, 1, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &around, 0, &ring);
    MPI_Cart_shift(ring, 0, 1, &from, &to);
    int *memory, one = 1, token = 0;
    MPI_Win win;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, ring, &memory, &win);
    memory[0] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(ring);
    MPI_Put(&one, 1, MPI_INT, to, 0, 1, MPI_INT, win);
    MPI_Win_flush(to, win);
    MPI_Send(&token, 1, MPI_INT, to, 3, ring);
    MPI_Recv(&token, 1, MPI_INT, from, 3, ring, MPI_STATUS_IGNORE);
    volatile int got = memory[0];
    (void)got;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
