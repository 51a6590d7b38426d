// robust: no
// from: The same with a barrier for the first fence
// why: A barrier completes no puts.
#include <mpi.h>

#define N 200

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    double cells[N + 2];
    for (int i = 0; i < N + 2; i++)
        cells[i] = me;
    MPI_Win win;
    MPI_Win_create(cells, sizeof cells, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    for (int step = 0; step < 3; step++) {
        MPI_Put(&cells[1], 1, MPI_DOUBLE, (me + n - 1) % n, N + 1, 1, MPI_DOUBLE, win);
        MPI_Put(&cells[N], 1, MPI_DOUBLE, (me + 1) % n, 0, 1, MPI_DOUBLE, win);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 1; i <= N; i++)
            cells[i] = (cells[i - 1] + cells[i + 1]) / 2;
        MPI_Win_fence(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
