// As mpi-shared-flag-yes without MPI_Win_sync between the stores: they may be seen in the other order (MPI-4.1
// §12.2.3).
// robust: no
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, unit;
    MPI_Aint size;
    volatile int *at;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate_shared(me == 0 ? 2 * sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &at, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &at);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    if (me == 0) {
        at[0] = 42;
        at[1] = 1;
        MPI_Win_sync(win);
    } else {
        while (at[1] == 0)
            MPI_Win_sync(win);
        int seen = at[0];
        (void)seen;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
