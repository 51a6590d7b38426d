/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a put of two numbers to four"} */
/* What is put must fit into what is named at the target (MPI-4.1 12.3.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int values[4] = {1, 2, 3, 4}, *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(values, 2, MPI_INT, 1, 0, 4, MPI_INT, win);
    MPI_Win_fence(0, win);

    MPI_Win_free(&win);
    printf("rank %d done\n", rank);
    MPI_Finalize();
    return 0;
}
