// robust: no
// from: A put within a part of the processes
// why: The barrier of the part completes nothing.
// ranks: 3
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int world, me, n, one = 1;
    MPI_Comm row;
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    // Ranks 1 and 2 together, the later one first; rank 0 alone.
    MPI_Comm_split(MPI_COMM_WORLD, world > 0, -world, &row);
    MPI_Comm_rank(row, &me);
    MPI_Comm_size(row, &n);
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, row, &memory, &win);
    memory[0] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(row);
    if (n > 1 && me == 0)
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Barrier(row);
    volatile int got = memory[0];
    (void)got;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
