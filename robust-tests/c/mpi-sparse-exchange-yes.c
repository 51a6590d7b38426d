// robust: yes
// from: sparse exchange with slots by fetch and add
// why: All puts are complete before the barrier.
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n, *mem, one = 1;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(5 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    for (int i = 0; i < 5; i++)
        mem[i] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    int value[2] = {me + 1, me + 2};
    for (int k = 1; k < n; k++) {
        int slot, to = (me + k) % n;
        MPI_Fetch_and_op(&one, &slot, MPI_INT, to, 0, MPI_SUM, win);
        MPI_Win_flush(to, win);
        MPI_Put(&value[0], 1, MPI_INT, to, 1 + slot, 1, MPI_INT, win);
    }
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    volatile int *m = mem;
    int sum = 0;
    for (int i = 0; i < m[0]; i++)
        sum += m[1 + i];
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return sum == 0;
}
