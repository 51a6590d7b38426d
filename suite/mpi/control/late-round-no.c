/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a long loop ends just before the cell that a put writes"} */
/* The last round loads the cell before it (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

enum { CELLS = 300000 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double one = 1, sum = 0;
    double *cells;
    MPI_Win win;
    MPI_Win_allocate(CELLS * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    for (int i = 0; i < CELLS; i++)
        cells[i] = 0;

    MPI_Win_fence(0, win);
    int last = CELLS - 10;
    if (rank == 0)
        MPI_Put(&one, 1, MPI_DOUBLE, 1, last, 1, MPI_DOUBLE, win);

    if (rank == 1)
        for (int i = 0; i < last; i++)
            sum += cells[i];
    MPI_Win_fence(0, win);

    printf("%f\n", sum);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
