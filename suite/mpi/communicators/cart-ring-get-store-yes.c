/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Get@24", "STORE@25"], "NPROCS": 3, "DESCRIPTION": "on a ring, each process gets its neighbour's cell while the neighbour stores to it"} */
/* The get from the upper neighbour is open until the fence, and that neighbour stores meanwhile
   (MPI-4.1 12.7, 8.5). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int size, dims[1], periods[1] = {1}, below, above;
    double *cell, ghost = 0.0;
    MPI_Comm ring;
    MPI_Win win;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    dims[0] = size;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    MPI_Cart_shift(ring, 0, 1, &below, &above);
    MPI_Win_allocate(2 * sizeof(double), sizeof(double), MPI_INFO_NULL, ring, &cell, &win);
    cell[0] = rank;

    MPI_Win_fence(0, win);
    MPI_Get(&ghost, 1, MPI_DOUBLE, above, 0, 1, MPI_DOUBLE, win);
    cell[0] = 100.0 + rank;
    MPI_Win_fence(0, win);

    printf("rank %d got %g from %d\n", rank, ghost, above);
    MPI_Win_free(&win);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
