// robust: no
// from: A flag and data by MPI_Rget, waited for together
// why: Two gets are in no order: the data may be read before the flag.
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
        int flag = 0, data = 0;
        MPI_Request requests[2];
        MPI_Rget(&flag, 1, MPI_INT, 1, 1, 1, MPI_INT, win, &requests[0]);
        MPI_Rget(&data, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        volatile int got = flag + data;
        (void)got;
    } else if (me == 1) {
        memory[0] = 5;
        memory[1] = 1;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
