/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Send@24"], "NPROCS": 2, "DESCRIPTION": "both processes send much before they receive", "RULE": "deadlock", "TIME_LIMIT": 5} */
/* A standard send may wait for its receive, and does where the message is large (MPI-4.1 3.4, 3.5). */
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

    MPI_Send(given, N, MPI_DOUBLE, peer, 3, MPI_COMM_WORLD);
    MPI_Recv(taken, N, MPI_DOUBLE, peer, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    printf("rank %d has %g\n", rank, taken[N - 1]);
    free(taken);
    free(given);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
