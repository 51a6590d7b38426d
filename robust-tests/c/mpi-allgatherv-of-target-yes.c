// robust: yes
// from: A put, and MPI_Allgatherv in which only its target gives something
// why: Nobody waits for a process that gives nothing: what the target reads is from before the put, or from after it.
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int *memory, all[4], counts[4] = {0}, starts[4] = {0};
    // Only the first process has something to say.
    counts[0] = 1;
    MPI_Win win;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[0] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 1)
        MPI_Put(&n, 1, MPI_INT, 1 - me, 0, 1, MPI_INT, win);
    MPI_Allgatherv(&me, counts[me], MPI_INT, all, counts, starts, MPI_INT, MPI_COMM_WORLD);
    if (me != 1) {
        volatile int got = memory[0];
        (void)got;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
