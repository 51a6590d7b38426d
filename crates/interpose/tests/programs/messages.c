// Point-to-point messages in all forms (MPI-4.1 chapter 3), between processes 0 and 1 of any number.
#include <mpi.h>
#include <stdio.h>

static void both(int rank, int other, MPI_Comm comm) {
    int x = rank, y = -1;
    MPI_Status status;
    MPI_Message message;
    MPI_Request r[3];
    int flag = 0, index, count, indices[3];
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, other, 1, comm);
        MPI_Ssend(&x, 1, MPI_INT, other, 2, comm);
        char buffer[1024 + MPI_BSEND_OVERHEAD];
        void *detached;
        MPI_Buffer_attach(buffer, sizeof buffer);
        MPI_Bsend(&x, 1, MPI_INT, other, 3, comm);
        MPI_Buffer_detach(&detached, &count);
        MPI_Recv(&y, 1, MPI_INT, other, 4, comm, &status);
        MPI_Rsend(&x, 1, MPI_INT, other, 5, comm);
        MPI_Isend(&x, 1, MPI_INT, other, 6, comm, &r[0]);
        MPI_Issend(&x, 1, MPI_INT, other, 7, comm, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        MPI_Send_init(&x, 1, MPI_INT, other, 8, comm, &r[0]);
        MPI_Start(&r[0]);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        MPI_Startall(1, r);
        while (!flag) MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
        MPI_Request_free(&r[0]);
        MPI_Send(&x, 1, MPI_INT, other, 9, comm);
        MPI_Send(&x, 1, MPI_INT, other, 10, comm);
        MPI_Send(&x, 1, MPI_INT, other, 11, comm);
    } else {
        MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
        MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 2, comm, &status);
        MPI_Irecv(&y, 1, MPI_INT, other, 3, comm, &r[0]);
        MPI_Waitany(1, r, &index, MPI_STATUS_IGNORE);
        MPI_Irecv(&y, 1, MPI_INT, other, 5, comm, &r[1]);
        MPI_Send(&x, 1, MPI_INT, other, 4, comm);
        r[0] = MPI_REQUEST_NULL;
        MPI_Waitsome(2, r, &count, indices, MPI_STATUSES_IGNORE);
        MPI_Irecv(&y, 1, MPI_INT, other, 6, comm, &r[0]);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        MPI_Probe(other, 7, comm, &status);
        MPI_Recv(&y, 1, MPI_INT, other, 7, comm, MPI_STATUS_IGNORE);
        MPI_Recv_init(&y, 1, MPI_INT, MPI_ANY_SOURCE, 8, comm, &r[0]);
        MPI_Start(&r[0]);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        MPI_Start(&r[0]);
        MPI_Waitall(1, r, MPI_STATUSES_IGNORE);
        MPI_Request_free(&r[0]);
        MPI_Mprobe(MPI_ANY_SOURCE, 9, comm, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&y, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        while (!flag) MPI_Improbe(other, MPI_ANY_TAG, comm, &flag, &message, &status);
        MPI_Imrecv(&y, 1, MPI_INT, &message, &r[0]);
        MPI_Wait(&r[0], &status);
        MPI_Irecv(&y, 1, MPI_INT, other, MPI_ANY_TAG, comm, &r[0]);
        flag = 0;
        while (!flag) MPI_Request_get_status(r[0], &flag, MPI_STATUS_IGNORE);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    }
    MPI_Sendrecv(&x, 1, MPI_INT, other, 20 + rank, &y, 1, MPI_INT, other, 20 + other, comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(&x, 1, MPI_INT, other, 30 + rank, MPI_ANY_SOURCE, 30 + other, comm, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, comm);
    MPI_Recv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE);
    MPI_Irecv(&y, 1, MPI_INT, other, 99, comm, &r[0]);
    MPI_Cancel(&r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    printf("%d got %d %d\n", rank, x, y);
}

int main(int argc, char **argv) {
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2) both(rank, 1 - rank, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
