/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@23", "LOAD@27"], "NPROCS": 2, "DESCRIPTION": "a cell that a put writes is loaded in one of the last rounds of a long loop", "RULE": "remote-race"} */
/* Only the round of that cell races, long after the first ones (MPI-4.1 12.7). */
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
        for (int i = 0; i < CELLS; i++)
            sum += cells[i];
    MPI_Win_fence(0, win);

    printf("%f\n", sum);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
