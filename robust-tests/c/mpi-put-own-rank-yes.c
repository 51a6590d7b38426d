// robust: yes
// why: Each process puts its own rank, which stays known; the flush comes before the barrier.
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n, *mine;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win win;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    MPI_Put(&me, 1, MPI_INT, (me + 1) % n, 0, 1, MPI_INT, win);
    MPI_Win_flush((me + 1) % n, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) {
        int seen = *(volatile int *)mine;
        (void)seen;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
