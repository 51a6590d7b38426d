/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@18", "STORE@20"], "NPROCS": 2, "DESCRIPTION": "put into a window over a local array while its owner stores to one element of it"} */
/* The address of the element is nowhere but in the store; that of the array is known to the window (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int cells[4] = {0, 0, 0, 0}, value = 3;
    MPI_Win win;
    MPI_Win_create(cells, sizeof cells, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Win_fence(0, win);
    if (rank == 0) {
        /* The neighbour stores to the same cell in the same epoch. */
        MPI_Put(&value, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    } else {
        cells[2] = 9;
    }
    MPI_Win_fence(0, win);

    printf("rank %d has %d\n", rank, cells[2]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
