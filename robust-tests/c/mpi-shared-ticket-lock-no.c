// As mpi-shared-ticket-lock-yes with a relaxed store: the next holder may count on from the old number.
// robust: no
#include <mpi.h>
#include <stdatomic.h>

struct shared {
    _Atomic int next, serving;
    int count;
};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, unit;
    MPI_Aint size;
    struct shared *at;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate_shared(me == 0 ? sizeof *at : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &at, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &at);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    int ticket = atomic_fetch_add(&at->next, 1);
    while (atomic_load(&at->serving) != ticket)
        ;
    at->count = at->count + 1;
    atomic_store_explicit(&at->serving, ticket + 1, memory_order_relaxed);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
