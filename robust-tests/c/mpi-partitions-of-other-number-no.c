// robust: no
// why: As mpi-partitions-of-other-number-yes, but each partition of the sender is one of the receiver, which looks at
// the first: that comes before the flush, so the put may come late.
#include <mpi.h>

// MPI-4 has these; the headers of some libraries do not.
int MPI_Psend_init(const void *, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Precv_init(void *, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Pready(int, MPI_Request);
int MPI_Pready_range(int, int, MPI_Request);
int MPI_Pready_list();
int MPI_Parrived(MPI_Request, int, int *);

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, one = 1, *mine;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    int data[4] = {0, 0, 0, 0}, answer = 0, rest[2] = {3, 2};
    MPI_Request message;
    if (me == 0) {
        MPI_Psend_init(data, 4, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &message);
    } else {
        MPI_Precv_init(data, 4, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &message);
    }
    for (int round = 0; round < 2; round++) {
        MPI_Start(&message);
        if (me == 0) {
            MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
            MPI_Pready(0, message);
            MPI_Win_flush(1, win);
            MPI_Pready_range(1, 1, message);
            MPI_Pready_list(2, rest, message);
            MPI_Recv(&answer, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            int there = 0;
            while (!there) {
                MPI_Parrived(message, 0, &there);
            }
            (void)*(volatile int *)&mine[0];
            MPI_Send(&answer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
        MPI_Wait(&message, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&message);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
