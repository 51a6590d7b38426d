// robust: yes
// from: A put and a barrier in a copy of MPI_COMM_WORLD
// why: The put is complete at its target before the barrier.
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    int me, n;
    MPI_Comm_rank(copy, &me);
    MPI_Comm_size(copy, &n);
    int *memory, next = (me + 1) % n;
    MPI_Win win;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, copy, &memory, &win);
    memory[0] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(copy);
    MPI_Put(&me, 1, MPI_INT, next, 0, 1, MPI_INT, win);
    MPI_Win_flush(next, win);
    MPI_Barrier(copy);
    volatile int got = memory[0];
    (void)got;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
