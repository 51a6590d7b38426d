// robust: yes
// from: Halo exchange that goes on until all processes agree that the change is small
// why: The flush completes the puts before the sum of all, and the barrier keeps the next puts after all reads.
#include <mpi.h>

#define N 16

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    double *cells, change = 1, all = 1;
    MPI_Win win;
    MPI_Win_allocate((N + 2) * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    for (int i = 0; i < N + 2; i++)
        cells[i] = me;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    while (all > 0.1) {
        MPI_Put(&cells[1], 1, MPI_DOUBLE, (me + n - 1) % n, N + 1, 1, MPI_DOUBLE, win);
        MPI_Put(&cells[N], 1, MPI_DOUBLE, (me + 1) % n, 0, 1, MPI_DOUBLE, win);
        MPI_Win_flush_all(win);
        MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        double first = (cells[0] + cells[2]) / 2, last = (cells[N - 1] + cells[N + 1]) / 2;
        change = first - cells[1];
        MPI_Barrier(MPI_COMM_WORLD);
        cells[1] = first;
        cells[N] = last;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
