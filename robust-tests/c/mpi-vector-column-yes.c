// robust: yes
// from: A column by a datatype with gaps, and a word by a message
// why: The flush completes the put before the message.
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
    MPI_Datatype column;
    MPI_Type_vector(2, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (me == 0) {
        int values[4] = {1, 2, 3, 4};
        MPI_Put(values, 1, column, 1, 1, 1, column, win);
        MPI_Win_flush(1, win);
        MPI_Send(values, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        int word;
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        volatile int got = memory[3];
        (void)got;
    }
    MPI_Type_free(&column);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
