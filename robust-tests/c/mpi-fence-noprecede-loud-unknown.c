// robust: not known
// from: Two windows, of which one is in use at a fence of the other that need not be a barrier
// why: Whoever is ahead of that fence may put into what the target still reads; not followed.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n, mine = 7, *a, *b;
    MPI_Win first, second;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &a, &first);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &b, &second);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, first);
    if (me == 1)
        printf("%d\n", a[0]);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, second);
    if (me == 0)
        MPI_Put(&mine, 1, MPI_INT, 1, 0, 1, MPI_INT, first);
    MPI_Win_fence(0, second);
    MPI_Win_fence(0, first);
    MPI_Win_free(&second);
    MPI_Win_free(&first);
    MPI_Finalize();
    return 0;
}
