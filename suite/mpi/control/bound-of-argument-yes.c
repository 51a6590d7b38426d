/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@23", "STORE@22"], "NPROCS": 2, "DESCRIPTION": "the number of rounds comes from the command line; each fills the buffer that the last put may still read"} */
/* A loop whose bound is decided outside, 3 without an argument (MPI-4.1 12.3). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, *cells;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rounds = argc > 1 ? atoi(argv[1]) : 3;
    const char *given = getenv("ROUNDS");
    if (given)
        rounds = atoi(given);
    int *values = malloc(rounds * sizeof *values);
    MPI_Win_allocate(rounds * size * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < rounds; i++) {
        int *value = &values[0];
        *value = i * rank;
        MPI_Put(value, 1, MPI_INT, (rank + 1) % size, rank * rounds + i, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    free(values);
    MPI_Win_free(&win);
    printf("done\n");
    MPI_Finalize();
    return 0;
}
