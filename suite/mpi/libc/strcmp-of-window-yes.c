/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@22", "strcmp@24"], "NPROCS": 2, "DESCRIPTION": "the owner compares a word in its window by strcmp while a put replaces it"} */
/* strcmp loads from the window before the closing fence (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *word, order[16] = "stop at once";
    char expected[16];
    int answer = 0;
    MPI_Win win;
    snprintf(expected, sizeof expected, "go on %d", rank);
    MPI_Win_allocate(16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &word, &win);
    snprintf(word, 16, "go on %d", rank);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(order, 16, MPI_CHAR, 1, 0, 16, MPI_CHAR, win);
    if (rank == 1)
        answer = strcmp(word, expected);
    MPI_Win_fence(0, win);

    printf("rank %d: %s\n", rank, answer == 0 ? "same" : "other");
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
