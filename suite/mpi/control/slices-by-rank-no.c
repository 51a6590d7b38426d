/* {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "the clean twin: every rank puts a slice of rank 0"} */
/* Index ranges that are affine in the rank (MPI-4.1 12.7): with the error, neighbours overlap by one element. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, *cells, values[16] = {0};
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int total = 12, first = rank * total / size, end = (rank + 1) * total / size;
    MPI_Win_allocate(total * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_fence(0, win);
    int count = end - first;
    MPI_Put(values, count, MPI_INT, 0, first, count, MPI_INT, win);
    MPI_Win_fence(0, win);
    printf("%d\n", cells[0]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
