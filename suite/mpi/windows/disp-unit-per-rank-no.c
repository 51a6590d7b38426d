/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the target's disp_unit (8) keeps the put away from the element that its owner stores"} */
/* With the origin's unit (1) the put would hit element 0; with the target's it hits element 3
   only (MPI-4.1 12.2.1, 12.3.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double cells[8] = {0.0};
    double value = 1.25;
    int unit = rank == 1 ? (int)sizeof(double) : 1;
    MPI_Win win;
    MPI_Win_create(cells, sizeof cells, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_DOUBLE, 1, 3, 1, MPI_DOUBLE, win);
    if (rank == 1)
        cells[0] = 4.0;
    MPI_Win_fence(0, win);

    printf("rank %d: %g %g\n", rank, cells[0], cells[3]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
