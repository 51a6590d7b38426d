// robust: yes
// from: A writer under an exclusive lock, readers under shared ones
// why: Whoever has the lock after the writer reads both values that it put, and the unlock completes them.
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
    if (me == 0) {
        int value[2] = {5, 6};
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(value, 2, MPI_INT, 1, 0, 2, MPI_INT, win);
        MPI_Win_unlock(1, win);
    } else {
        int got[2];
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get(got, 2, MPI_INT, 1, 0, 2, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
