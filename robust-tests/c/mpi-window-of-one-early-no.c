// robust: no
// ranks: 3
// from: A window of which one process gives the memory, which all put into
// why: The memory is read before the fence that completes the puts.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    double *all = NULL, mine;
    MPI_Win win;
    if (me == 0)
        MPI_Alloc_mem(n * sizeof(double), MPI_INFO_NULL, &all);
    MPI_Win_create(all, me == 0 ? n * sizeof(double) : 0, me == 0 ? sizeof(double) : 1, MPI_INFO_NULL,
                   MPI_COMM_WORLD, &win);
    if (me == 0)
        for (int i = 0; i < n; i++)
            all[i] = -1;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (int round = 0; round < 2; round++) {
        mine = me + round;
        MPI_Put(&mine, 1, MPI_DOUBLE, 0, me, 1, MPI_DOUBLE, win);
        if (me == 0)
            printf("%g %g\n", all[0], all[n - 1]);
        MPI_Win_fence(0, win);
        MPI_Win_fence(round == 1 ? MPI_MODE_NOSUCCEED : 0, win);
    }
    MPI_Win_free(&win);
    if (me == 0)
        MPI_Free_mem(all);
    MPI_Finalize();
    return 0;
}
