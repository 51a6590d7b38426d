// Each process stores to the memory of the next one and loads its own after a barrier: MPI_Win_sync before it completes
// the store.
// robust: yes
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n, unit;
    MPI_Aint size;
    volatile int *mine, *next;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, (me + 1) % n, &size, &unit, &next);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    *next = me + 1;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    int seen = *mine;
    (void)seen;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
