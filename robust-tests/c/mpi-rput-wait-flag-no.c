// robust: no
// from: Data by MPI_Rput that is waited for, then a flag
// why: MPI_Wait completes the put locally only (MPI-4.1 §12.3.5): the flag may overtake it.
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
    if (me == 0) {
        int data = 5, one = 1;
        MPI_Request request;
        MPI_Rput(&data, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Accumulate(&one, 1, MPI_INT, 1, 1, 1, MPI_INT, MPI_REPLACE, win);
    } else if (me == 1) {
        while (*(volatile int *)&memory[1] == 0)
            MPI_Win_sync(win);
        volatile int got = memory[0];
        (void)got;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
