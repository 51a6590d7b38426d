// As mpi-persistent-exchange-yes, but the flush comes after the message: that the send is over says nothing of the put,
// and the receiver may read before it.
// robust: no
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, token = 0, answer = 0, *mine;
    MPI_Win win;
    MPI_Request send, receive;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    MPI_Send_init(&token, 1, MPI_INT, 1 - me, me, MPI_COMM_WORLD, &send);
    MPI_Recv_init(&answer, 1, MPI_INT, 1 - me, 1 - me, MPI_COMM_WORLD, &receive);
    for (int round = 0; round < 2; round++) {
        if (me == 0) {
            int value = round;
            MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
            MPI_Start(&send);
            MPI_Wait(&send, MPI_STATUS_IGNORE);
            MPI_Win_flush(1, win);
            MPI_Start(&receive);
            MPI_Wait(&receive, MPI_STATUS_IGNORE);
        } else {
            MPI_Start(&receive);
            MPI_Wait(&receive, MPI_STATUS_IGNORE);
            volatile int seen = *mine;
            (void)seen;
            MPI_Start(&send);
            MPI_Wait(&send, MPI_STATUS_IGNORE);
        }
    }
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
