// robust: no
// why: As mpi-partitions-matched-as-made-yes, but the receiver waits for the first one, which comes before the flush.
#include <mpi.h>

// MPI-4 has these; the headers of some libraries do not.
int MPI_Psend_init(const void *, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Precv_init(void *, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Pready(int, MPI_Request);

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, one = 1, *mine;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    int data[2] = {0, 0};
    MPI_Request messages[2];
    if (me == 0) {
        MPI_Psend_init(&data[0], 1, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &messages[0]);
        MPI_Psend_init(&data[1], 1, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &messages[1]);
        MPI_Startall(2, messages);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Pready(0, messages[0]);
        MPI_Win_flush(1, win);
        MPI_Pready(0, messages[1]);
    } else {
        MPI_Precv_init(&data[0], 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &messages[0]);
        MPI_Precv_init(&data[1], 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &messages[1]);
        MPI_Start(&messages[1]);
        MPI_Start(&messages[0]);
        MPI_Wait(&messages[0], MPI_STATUS_IGNORE);
        (void)*(volatile int *)&mine[0];
    }
    MPI_Waitall(2, messages, MPI_STATUSES_IGNORE);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
