// robust: no
// from: Tickets by fetch-and-op; the square of each is put to process 0, and counted
// why: The count may overtake a square.
// ranks: 3
#include <mpi.h>
#define JOBS 3
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int *mem;
    MPI_Win win;
    MPI_Win_allocate((JOBS + 2) * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < JOBS + 2; i++)
        mem[i] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    int one = 1, job, zero = 0;
    for (;;) {
        MPI_Fetch_and_op(&one, &job, MPI_INT, 0, JOBS, MPI_SUM, win);
        MPI_Win_flush(0, win);
        if (job >= JOBS)
            break;
        int result = job * job;
        MPI_Put(&result, 1, MPI_INT, 0, job, 1, MPI_INT, win);
        MPI_Accumulate(&one, 1, MPI_INT, 0, JOBS + 1, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(0, win);
    }
    int sum = 0;
    if (me == 0) {
        int done;
        do {
            MPI_Fetch_and_op(&zero, &done, MPI_INT, 0, JOBS + 1, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        } while (done < JOBS);
        MPI_Win_sync(win);
        for (int j = 0; j < JOBS; j++)
            sum += mem[j];
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return sum < 0;
}
