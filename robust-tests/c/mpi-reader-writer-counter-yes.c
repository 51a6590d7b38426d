// robust: yes
// from: reader-writer locks with counters, Schmid, Besta, Hoefler, HPDC 2016
// why: What the writer puts is complete before it gives the lock back.
#include <mpi.h>
#define WRITER 100
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, *mem;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(3 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    MPI_Win_lock_all(0, win);
    int one = 1, minus = -1, free_ = 0, writer = WRITER, release = -WRITER, got, value;
    if (me == 0) {
        do {
            MPI_Compare_and_swap(&writer, &free_, &got, MPI_INT, 0, 0, win);
            MPI_Win_flush(0, win);
        } while (got != free_);
        value = 7;
        MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Put(&value, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Accumulate(&release, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(0, win);
    } else {
        for (;;) {
            MPI_Fetch_and_op(&one, &got, MPI_INT, 0, 0, MPI_SUM, win);
            MPI_Win_flush(0, win);
            if (got < WRITER)
                break;
            MPI_Fetch_and_op(&minus, &got, MPI_INT, 0, 0, MPI_SUM, win);
            MPI_Win_flush(0, win);
        }
        int a, b;
        MPI_Get(&a, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Get(&b, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Fetch_and_op(&minus, &got, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
