/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@21", "STORE@23"], "NPROCS": 2, "DESCRIPTION": "at the open edge of a line the put goes to MPI_PROC_NULL, inside it meets the owner's store"} */
/* Rank 1's upper neighbour is MPI_PROC_NULL: its put does nothing; rank 0's put meets rank 1's
   store (MPI-4.1 12.3, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[1] = {2}, periods[1] = {0}, below, above, value = rank;
    int *ghost;
    MPI_Comm line;
    MPI_Win win;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
    MPI_Cart_shift(line, 0, 1, &below, &above);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, line, &ghost, &win);

    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, above, 0, 1, MPI_INT, win);
    if (rank == 1)
        ghost[0] = -1;
    MPI_Win_fence(0, win);

    printf("rank %d of a line\n", rank);
    MPI_Win_free(&win);
    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
