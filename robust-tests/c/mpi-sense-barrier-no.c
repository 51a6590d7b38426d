// robust: no
// from: a barrier that reverses its sense
// why: A put to another process than the root may be on its way when its process arrives.
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n, *mem;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(3 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    MPI_Win_lock_all(0, win);
    int sense = 0, one = 1, zero = 0, got;
    volatile int *m = mem;
    for (int round = 0; round < 2; round++) {
        sense = 1 - sense;
        int value = round;
        MPI_Put(&value, 1, MPI_INT, (me + 1) % n, 2, 1, MPI_INT, win);
        MPI_Fetch_and_op(&one, &got, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        if (got == n - 1) {
            MPI_Accumulate(&zero, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
            MPI_Win_flush(0, win);
            for (int p = 0; p < n; p++)
                MPI_Accumulate(&sense, 1, MPI_INT, p, 1, 1, MPI_INT, MPI_REPLACE, win);
            MPI_Win_flush_all(win);
        }
        while (m[1] != sense) MPI_Win_sync(win);
        int seen = m[2];
        (void)seen;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
