// robust: yes
// ranks: 3
// from: Words of two processes in the order in which they come, and what each has put is read
// why: The part that is read is that of the process whose word has come.
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    (void)n;
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 8; i++)
        memory[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (me != 0) {
        int value = 5;
        MPI_Put(&value, 1, MPI_INT, 0, me, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        int words[2], which;
        MPI_Request requests[2];
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&words[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
        for (int i = 0; i < 2; i++) {
            MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
            volatile int got = memory[which + 1];
            (void)got;
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
