/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "both processes send much while they receive"} */
/* MPI_Sendrecv does both at once (MPI-4.1 3.10). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 40000 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *cells, *given = malloc(N * sizeof(double)), *taken = malloc(N * sizeof(double));
    int peer = 1 - rank;
    MPI_Win win;
    MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    for (int i = 0; i < N; i++)
        given[i] = rank;
    MPI_Win_fence(0, win);
    MPI_Get(taken, 8, MPI_DOUBLE, peer, 0, 8, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);

    MPI_Sendrecv(given, N, MPI_DOUBLE, peer, 3, taken, N, MPI_DOUBLE, peer, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);

    printf("rank %d has %g\n", rank, taken[N - 1]);
    free(taken);
    free(given);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
