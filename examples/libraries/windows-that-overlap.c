// Whether an operation reaches the window of its target, for windows of 4 to 32 bytes. Each line should say that none
// went elsewhere: the memory of a window is disjoint from that of the others (MPI-4.1 §12.2.2).
//
//   mpicc windows-that-overlap.c -o windows-that-overlap && mpirun -n 3 ./windows-that-overlap
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int me, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int bytes = 4; bytes <= 32; bytes += 4) {
        int *own, wrong = 0, all;
        MPI_Win win;
        MPI_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
        own[0] = 100 + me;
        MPI_Win_lock_all(0, win);
        MPI_Win_sync(win);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int target = 0; target < size; target++) {
            int got = -1;
            MPI_Get(&got, 1, MPI_INT, target, 0, 1, MPI_INT, win);
            MPI_Win_flush(target, win);
            wrong += got != 100 + target;
        }
        MPI_Win_unlock_all(win);
        MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        if (me == 0)
            printf("windows of %2d bytes: %d of %d gets went elsewhere\n", bytes, all, size * size);
        MPI_Win_free(&win);
    }
    MPI_Finalize();
    return 0;
}
