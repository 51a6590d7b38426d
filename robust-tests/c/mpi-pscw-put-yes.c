// robust: yes
// from: A put between start and complete
// why: MPI_Win_wait returns after the puts of the epoch are complete.
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    (void)n;
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[0] = memory[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Group all, one;
    int other = 1 - me;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, &one);
    if (me == 0) {
        int value = 5;
        MPI_Win_start(one, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(one, 0, win);
        MPI_Win_wait(win);
        volatile int got = memory[0];
        (void)got;
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
