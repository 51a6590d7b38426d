// robust: yes
// why: A barrier of a node by a counter in shared memory, which the last one releases; puts are complete at their
// targets before.
#include <mpi.h>
#include <stdatomic.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n, unit, *result;
    MPI_Aint size;
    _Atomic int *arrived;
    MPI_Win win, shared;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &result, &win);
    MPI_Win_allocate_shared(me == 0 ? 2 * sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &arrived,
                            &shared);
    MPI_Win_shared_query(shared, 0, &size, &unit, &arrived);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, shared);
    int value = me + 1;
    MPI_Put(&value, 1, MPI_INT, (me + 1) % n, 0, 1, MPI_INT, win);
    MPI_Win_flush((me + 1) % n, win);
    if (atomic_fetch_add(&arrived[0], 1) == n - 1)
        atomic_store_explicit(&arrived[1], 1, memory_order_release);
    while (atomic_load_explicit(&arrived[1], memory_order_acquire) == 0)
        ;
    int seen = *(volatile int *)result;
    (void)seen;
    MPI_Win_unlock_all(shared);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&shared);
    MPI_Win_free(&win);
    MPI_Finalize();
}
