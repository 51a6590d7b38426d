// robust: yes
// from: Fences with assertions that only say what comes between them
// why: The fence with MPI_MODE_NOPRECEDE comes after a barrier with nothing between them.
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    (void)n;
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    int value = 5;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    if (me == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    volatile int got = memory[0];
    (void)got;
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
