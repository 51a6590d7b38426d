/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@14", "LOAD@19"], "NPROCS": 2, "DESCRIPTION": "a halo structure is passed by pointer, and read before its exchange is complete", "RULE": "remote-race"} */
/* Nothing orders the two accesses, or the first is not complete (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

struct halo {
    MPI_Win win;
    double *cells;
    int neighbour;
};

static void exchange(const struct halo *halo)
{
    MPI_Put(&halo->cells[1], 1, MPI_DOUBLE, halo->neighbour, 0, 1, MPI_DOUBLE, halo->win);
}

static double edge(const struct halo *halo)
{
    return halo->cells[0];
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    struct halo halo = {win, x, 1 - rank};
    MPI_Win_fence(0, win);
    exchange(&halo);
    double seen = edge(&halo);
    MPI_Win_fence(0, win);
    printf("%f\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
