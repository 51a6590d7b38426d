// robust: yes
// why: The store of the flag releases what was copied before it.
#include <mpi.h>
#include <string.h>
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
        memcpy((void *)&at[0], data, 8);
        atomic_store_explicit(&at[2], 1, memory_order_release);
    } else if (me == 1) {
        while (atomic_load_explicit(&at[2], memory_order_acquire) == 0)
            ;
        memcpy(data, (void *)&at[0], 8);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
