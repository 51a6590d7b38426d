// robust: no
// from: double-checked initialisation
// why: The state may say so before the data is there.
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, *mem;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(3 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    MPI_Win_lock_all(0, win);
    int one = 1, zero = 0, two = 2, state, data = 5;
    MPI_Fetch_and_op(NULL, &state, MPI_INT, 0, 0, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
    if (state != 2) {
        MPI_Compare_and_swap(&one, &zero, &state, MPI_INT, 0, 0, win);
        MPI_Win_flush(0, win);
        if (state == 0) {
            MPI_Put(&data, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
            MPI_Accumulate(&two, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
            MPI_Win_flush(0, win);
        } else {
            while (state != 2) {
                MPI_Fetch_and_op(NULL, &state, MPI_INT, 0, 0, MPI_NO_OP, win);
                MPI_Win_flush(0, win);
            }
        }
    }
    MPI_Get(&data, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
