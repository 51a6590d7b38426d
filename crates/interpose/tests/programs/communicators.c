// Creation of communicators (MPI-4.1 chapter 7), on any number of processes >= 2.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank, size, x = 1, y = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm dup, half, node, sub, group, inter, merged, late;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_split(dup, rank == 0 ? 0 : 1, -rank, &half);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Group all, first;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    int two[] = {1, 0};
    MPI_Group_incl(all, 2, two, &first);
    MPI_Comm_create(MPI_COMM_WORLD, first, &sub);
    if (rank < 2) {
        MPI_Comm_create_group(MPI_COMM_WORLD, first, 17, &group);
        MPI_Barrier(group);
        MPI_Comm_free(&group);
        int me;
        MPI_Comm_rank(sub, &me);
        // Rank 0 of `sub` is process 1.
        if (me == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, sub);
        else MPI_Recv(&y, 1, MPI_INT, 0, 0, sub, MPI_STATUS_IGNORE);
    }
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0 ? size - 1 : 0, 5, &inter);
    MPI_Bcast(&x, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0, inter);
    MPI_Intercomm_merge(inter, rank != 0, &merged);
    MPI_Barrier(merged);
    MPI_Request q;
    MPI_Comm_idup(MPI_COMM_WORLD, &late, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Barrier(late);
    MPI_Comm_free(&late);
    MPI_Barrier(MPI_COMM_SELF);
    printf("%d\n", rank);
    MPI_Finalize();
    return 0;
}
