// robust: yes
// from: Peterson, Myths about the mutual exclusion problem, 1981
// why: Each word of the lock is complete before the next one is asked for.
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, one = 1, zero = 0, flag, turn, *mem;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    int other = 1 - me;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    for (int i = 0; i < 4; i++)
        mem[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Accumulate(&one, 1, MPI_INT, 0, me, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
    MPI_Accumulate(&other, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
    do {
        MPI_Fetch_and_op(NULL, &flag, MPI_INT, 0, other, MPI_NO_OP, win);
        MPI_Win_flush_local(0, win);
        MPI_Fetch_and_op(NULL, &turn, MPI_INT, 0, 2, MPI_NO_OP, win);
        MPI_Win_flush_local(0, win);
    } while (flag == 1 && turn == other);
    int count;
    MPI_Get(&count, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    count++;
    MPI_Put(&count, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    MPI_Accumulate(&zero, 1, MPI_INT, 0, me, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
