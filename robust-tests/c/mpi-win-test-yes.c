// robust: yes
// from: An exposure that is tested for its end (MPI-4.1 §12.5.2)
// why: What the target reads comes after the epoch is found to be over.
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, value = 4, *data;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win win;
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &data, &win);
    MPI_Group all, other;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    int one = 1 - me;
    MPI_Group_incl(all, 1, &one, &other);
    if (me == 0) {
        MPI_Win_start(other, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else if (me == 1) {
        int over = 0;
        MPI_Win_post(other, 0, win);
        while (!over) {
            MPI_Win_test(win, &over);
        }
        volatile int got = data[1];
        got = data[0];
        (void)got;
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
