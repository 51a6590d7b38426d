/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_create@14"], "NPROCS": 2, "DESCRIPTION": "a window whose unit is 0", "RULE": "invalid-argument"} */
/* The unit of displacements is positive (MPI-4.1 12.2.1). */
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
    MPI_Win_create(cells, sizeof cells, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    cells[0] = rank;
    MPI_Win_free(&win);
    printf("rank %d done\n", rank);
    MPI_Finalize();
    return 0;
}
