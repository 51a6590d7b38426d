// Derived datatypes (MPI-4.1 chapter 5): each is used in one put of process 0 to itself.
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

static MPI_Win win;
static int rank;

static void use(MPI_Datatype type) {
    static char origin[4096];
    MPI_Type_commit(&type);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    MPI_Put(origin + 1024, 1, type, rank, 1024, 1, type, win);
    MPI_Win_unlock(rank, win);
    MPI_Type_free(&type);
}

int main(int argc, char **argv) {
    static char memory[4096];
    MPI_Datatype t, u;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    int lengths[] = {2, 1}, displacements[] = {4, 0};
    MPI_Aint bytes[] = {32, -8};
    MPI_Type_contiguous(3, MPI_INT, &t), use(t);
    MPI_Type_vector(3, 2, 4, MPI_INT, &t), use(t);
    MPI_Type_create_hvector(2, 1, 10, MPI_SHORT, &t), use(t);
    MPI_Type_indexed(2, lengths, displacements, MPI_INT, &t), use(t);
    MPI_Type_create_hindexed(2, lengths, bytes, MPI_INT, &t), use(t);
    MPI_Type_create_indexed_block(2, 2, displacements, MPI_DOUBLE, &t), use(t);
    MPI_Type_create_hindexed_block(2, 1, bytes, MPI_CHAR, &t), use(t);
    struct pair { int i; double d; };
    int ones[] = {1, 1};
    MPI_Aint places[] = {offsetof(struct pair, i), offsetof(struct pair, d)};
    MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE};
    MPI_Type_create_struct(2, ones, places, parts, &t);
    MPI_Type_contiguous(2, t, &u), use(u), MPI_Type_free(&t);
    int sizes[] = {4, 6}, subsizes[] = {2, 3}, starts[] = {1, 2};
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &t), use(t);
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_INT, &t), use(t);
    MPI_Type_create_resized(MPI_INT, 0, 16, &t);
    MPI_Type_contiguous(3, t, &u), use(u), MPI_Type_free(&t);
    MPI_Type_dup(MPI_FLOAT, &t), use(t);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    MPI_Put(memory, 1, MPI_DOUBLE_INT, rank, 1024, 1, MPI_DOUBLE_INT, win);
    MPI_Win_unlock(rank, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
