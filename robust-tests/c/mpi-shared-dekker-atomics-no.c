// robust: no
// why: A relaxed load may come before a store, also before one that is sequentially consistent.
#include <mpi.h>
#include <stdatomic.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, unit, data[2] = {1, 2};
    MPI_Aint size;
    _Atomic int *at;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate_shared(me == 0 ? 4 * sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &at, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &at);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    if (me == 0) {
        atomic_store(&at[0], 1);
        int s = atomic_load_explicit(&at[1], memory_order_relaxed);
        (void)s;
    } else if (me == 1) {
        atomic_store(&at[1], 1);
        int s = atomic_load_explicit(&at[0], memory_order_relaxed);
        (void)s;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
