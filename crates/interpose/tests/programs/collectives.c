// Collective operations of MPI-4.1 chapters 6 and 8.6, on any number of processes >= 2.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int s[64], r[64], ones[16], zeros[16], shift[16], some[16], bytes[16];
    MPI_Aint abytes[16];
    MPI_Datatype types[16];
    for (int i = 0; i < 64; i++) s[i] = rank, r[i] = 0;
    for (int i = 0; i < 16; i++) {
        ones[i] = 1, zeros[i] = 0, shift[i] = i, some[i] = i == 0, bytes[i] = abytes[i] = 4 * i;
        types[i] = MPI_INT;
    }
    MPI_Request q;
    MPI_Barrier(comm);
    MPI_Bcast(s, 1, MPI_INT, 1, comm);
    MPI_Bcast(s, 0, MPI_INT, 1, comm);
    MPI_Gather(s, 1, MPI_INT, r, 1, MPI_INT, 0, comm);
    MPI_Gatherv(s, 1, MPI_INT, r, ones, shift, MPI_INT, 0, comm);
    MPI_Scatter(s, 1, MPI_INT, r, 1, MPI_INT, 0, comm);
    MPI_Scatterv(s, ones, shift, MPI_INT, r, 1, MPI_INT, 0, comm);
    MPI_Allgather(s, 1, MPI_INT, r, 1, MPI_INT, comm);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, r, 1, MPI_INT, comm);
    MPI_Allgatherv(s, rank == 0, MPI_INT, r, some, shift, MPI_INT, comm);
    MPI_Alltoall(s, 1, MPI_INT, r, 1, MPI_INT, comm);
    MPI_Alltoallv(s, ones, shift, MPI_INT, r, ones, shift, MPI_INT, comm);
    MPI_Alltoallv(s, rank == 0 ? ones : zeros, shift, MPI_INT, r, some, shift, MPI_INT, comm);
    MPI_Alltoallw(s, ones, bytes, types, r, ones, bytes, types, comm);
    MPI_Reduce(s, r, 1, MPI_INT, MPI_SUM, 1, comm);
    MPI_Allreduce(s, r, 1, MPI_INT, MPI_SUM, comm);
    MPI_Allreduce(MPI_IN_PLACE, r, 1, MPI_INT, MPI_MAX, comm);
    MPI_Reduce_scatter(s, r, some, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter_block(s, r, 1, MPI_INT, MPI_SUM, comm);
    MPI_Scan(s, r, 1, MPI_INT, MPI_SUM, comm);
    MPI_Exscan(s, r, 1, MPI_INT, MPI_SUM, comm);
    MPI_Ibarrier(comm, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Ibcast(s, 1, MPI_INT, 0, comm, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Iallreduce(s, r, 1, MPI_INT, MPI_SUM, comm, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Ialltoallw(s, ones, bytes, types, r, ones, bytes, types, comm, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Comm line, ring;
    int periods = 0;
    MPI_Cart_create(comm, 1, &size, &periods, 0, &line);
    MPI_Neighbor_allgather(s, 1, MPI_INT, r, 1, MPI_INT, line);
    MPI_Neighbor_alltoall(s, 1, MPI_INT, r, 1, MPI_INT, line);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Dist_graph_create_adjacent(comm, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    MPI_Neighbor_allgatherv(s, 1, MPI_INT, r, ones, shift, MPI_INT, ring);
    MPI_Neighbor_alltoallv(s, zeros, shift, MPI_INT, r, zeros, shift, MPI_INT, ring);
    MPI_Neighbor_alltoallw(s, ones, abytes, types, r, ones, abytes, types, ring);
    MPI_Ineighbor_allgather(s, 1, MPI_INT, r, 1, MPI_INT, ring, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    printf("%d: %d\n", rank, r[0]);
    MPI_Finalize();
    return 0;
}
