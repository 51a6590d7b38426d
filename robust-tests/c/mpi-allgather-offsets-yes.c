// robust: yes
// why: Each puts to a place of its own, which the numbers that MPI_Allgather brings give.
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n, *mem, counts[8];
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    int mine = me + 1;
    MPI_Allgather(&mine, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    int offset = 0;
    for (int p = 0; p < me; p++) offset += counts[p];
    MPI_Win_lock_all(0, win);
    MPI_Put(&mine, 1, MPI_INT, 0, offset, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) { volatile int s = mem[0] + mem[1]; (void)s; }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
