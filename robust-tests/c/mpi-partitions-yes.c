// Two puts, each followed by a flush and by a partition of one message that is ready then. The other process looks at
// each after the partition that came after its flush: at the second by MPI_Parrived, at the first by MPI_Wait.
// robust: yes
#include <mpi.h>

// MPI-4 has these; the headers of some libraries do not.
int MPI_Psend_init(const void *, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Precv_init(void *, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Pready(int, MPI_Request);
int MPI_Parrived(MPI_Request, int, int *);

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, one = 1, *mine;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    int data[2] = {0, 0}, there = 0;
    MPI_Request message;
    if (me == 0) {
        MPI_Psend_init(data, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &message);
        MPI_Start(&message);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Pready(0, message);
        MPI_Put(&one, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Pready(1, message);
    } else {
        MPI_Precv_init(data, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &message);
        MPI_Start(&message);
        while (!there) {
            MPI_Parrived(message, 1, &there);
        }
        (void)*(volatile int *)&mine[1];
    }
    MPI_Wait(&message, MPI_STATUS_IGNORE);
    if (me == 1) {
        (void)*(volatile int *)&mine[0];
    }
    MPI_Request_free(&message);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
