/* Loads and stores through index lists, all of them in window memory, others in every step: none repeats an earlier
   one. It goes on until it is ended. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACES = 1 << 16, STEPS = 1 << 30 };

int main(int argc, char **argv)
{
    int rank;
    double *force;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(PLACES * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &force, &win);
    int *index = malloc(PLACES * sizeof *index);
    srand(rank + 1);
    for (int i = 0; i < PLACES; i++)
        index[i] = rand() % PLACES;
    if (rank == 0) {
        printf("ready\n");
        fflush(stdout);
    }
    for (int step = 0; step < STEPS; step++) {
        MPI_Win_fence(0, win);
        for (int i = 0; i < PLACES; i++)
            force[(index[i] + step % 4096 * 613) % PLACES] += index[(i + step) % PLACES] * 1e-3;
    }
    MPI_Win_free(&win);
    free(index);
    MPI_Finalize();
    return 0;
}
