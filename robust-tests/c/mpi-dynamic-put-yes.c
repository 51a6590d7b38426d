// robust: yes
// why: A put into memory that is attached to a dynamic window, at the address that its process tells; it is complete
// at its target before the message.
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, one = 1, token = 0;
    static volatile int memory[2];
    MPI_Aint at, there = 0;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (me == 1) {
        MPI_Win_attach(win, (void *)memory, sizeof memory);
        MPI_Get_address((const void *)memory, &at);
        MPI_Send(&at, 1, MPI_AINT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        int seen = memory[1];
        (void)seen;
    } else {
        MPI_Recv(&there, 1, MPI_AINT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&one, 1, MPI_INT, 1, MPI_Aint_add(there, sizeof(int)), 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
        MPI_Send(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
}
