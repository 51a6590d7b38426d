// Window memory as buffer of messages and collectives: the library loads and stores it for the program.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank, size, *base, x[4] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Win win;
    MPI_Request r[2];
    MPI_Datatype column;
    MPI_Win_allocate(4096, 4, MPI_INFO_NULL, comm, &base, &win);
    MPI_Type_vector(2, 1, 3, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
        MPI_Send(base, 3, MPI_INT, 1, 0, comm);
        MPI_Ssend(base, 1, column, 1, 1, comm);
    } else if (rank == 1) {
        MPI_Recv(base, 3, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
        MPI_Recv(base, 1, column, 0, 1, comm, MPI_STATUS_IGNORE);
    }
    MPI_Irecv(base + 10, 2, MPI_INT, left, 2, comm, &r[0]);
    MPI_Isend(base + 20, 2, MPI_INT, right, 2, comm, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Sendrecv_replace(base, 1, MPI_INT, right, 3, left, 3, comm, MPI_STATUS_IGNORE);
    MPI_Bcast(base, 5, MPI_INT, 0, comm);
    MPI_Reduce(base, base + 8, 1, MPI_INT, MPI_SUM, 1, comm);
    MPI_Allreduce(MPI_IN_PLACE, base, 2, MPI_INT, MPI_SUM, comm);
    MPI_Gather(base, 2, MPI_INT, base + 8, 2, MPI_INT, 0, comm);
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : base, 1, MPI_INT, base, 1, MPI_INT, 0, comm);
    MPI_Scatter(base, 1, MPI_INT, base + 8, 1, MPI_INT, 1, comm);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, base, 2, MPI_INT, comm);
    MPI_Alltoall(base, 1, MPI_INT, base + 8, 1, MPI_INT, comm);
    MPI_Iallreduce(base, base + 8, 1, MPI_INT, MPI_MAX, comm, &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Exscan(x, base, 1, MPI_INT, MPI_SUM, comm);
    MPI_Type_free(&column);
    MPI_Win_free(&win);
    MPI_Bcast(x, 1, MPI_INT, 0, comm);
    printf("%d\n", rank);
    MPI_Finalize();
    return 0;
}
