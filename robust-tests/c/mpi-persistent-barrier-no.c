// robust: no
// why: A barrier that is made once and started in each round; it does not wait for the put before it.
#include <mpi.h>
// Headers before MPI-4 do not have it.
int MPI_Barrier_init(MPI_Comm, MPI_Info, MPI_Request *);

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, one = 1, *mem;
    MPI_Win win;
    MPI_Request r;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 2; i++) {
        if (me == 0) {
            MPI_Put(&one, 1, MPI_INT, 1, i, 1, MPI_INT, win);
        }
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        if (me == 1) {
            volatile int s = mem[i];
            (void)s;
        }
    }
    MPI_Request_free(&r);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
