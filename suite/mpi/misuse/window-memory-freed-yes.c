/* {"RACE_KIND": "misuse", "RACE_PAIR": ["free@21"], "NPROCS": 2, "DESCRIPTION": "free of memory that a window has", "RULE": "invalid-free"} */
/* Memory of MPI_Win_create must live as long as the window (MPI-4.1 12.2.5). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 4096

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *memory = calloc(COUNT, sizeof *memory);
    MPI_Win win;
    MPI_Win_create(memory, COUNT * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);

    free(memory);
    MPI_Win_free(&win);

    printf("rank %d done\n", rank);
    MPI_Finalize();
    return 0;
}
