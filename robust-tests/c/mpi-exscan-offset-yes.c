// robust: yes
// from: writing to one file of parts whose lengths differ: an exclusive scan gives each its offset
// why: Each writes to cells of its own, all is flushed before the barrier, and loaded after it.
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n, *cells;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_lock_all(0, win);
    int mine = 1 + me, offset = 0, values[2] = {1, 2};
    MPI_Exscan(&mine, &offset, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0)
        offset = 0;
    MPI_Put(values, mine, MPI_INT, 0, offset, mine, MPI_INT, win);
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) {
        int seen = ((volatile int *)cells)[0] + ((volatile int *)cells)[1];
        (void)seen;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
