// robust: no
// why: As mpi-pointer-swing-yes with a local flush: the pointer may be swung before the version is there.
#include <mpi.h>

enum { POINTER, CELLS = 3 };

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, value = 9, fresh = 2, nothing = 0, old, got;
    volatile int *memory;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(CELLS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (me == 1)
        memory[POINTER] = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (me == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
        MPI_Win_flush_local(1, win);
        MPI_Fetch_and_op(&fresh, &old, MPI_INT, 1, POINTER, MPI_REPLACE, win);
        MPI_Win_flush(1, win);
    } else {
        MPI_Fetch_and_op(&nothing, &old, MPI_INT, 1, POINTER, MPI_NO_OP, win);
        MPI_Win_flush(1, win);
        MPI_Get(&got, 1, MPI_INT, 1, old, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
