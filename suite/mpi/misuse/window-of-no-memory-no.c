/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a window of no bytes at the address 0"} */
/* A window's memory is the program's (MPI-4.1 12.2.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    static int cells[8];
    MPI_Win win;
    MPI_Win_create(NULL, 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    cells[0] = rank;
    MPI_Win_free(&win);
    printf("rank %d done\n", rank);
    MPI_Finalize();
    return 0;
}
