// robust: no
// why: What the put reads, the get writes: it is not complete when the variable is read, although the process itself
// stores nothing there but one number.
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, *mine;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win win;
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    if (me == 0) {
        volatile int value = 1;
        MPI_Put((int *)&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Get((int *)&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        int seen = value;
        (void)seen;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
