/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the owner writes a name into its window by strcpy before the epoch of the get"} */
/* The fence orders strcpy before the get (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *name, copy[64] = "";
    char own[MPI_MAX_PROCESSOR_NAME + 16];
    MPI_Win win;
    snprintf(own, sizeof own, "process number %d", rank);
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &name, &win);
    name[0] = '\0';

    strcpy(name, own);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(copy, 64, MPI_CHAR, 1, 0, 64, MPI_CHAR, win);
    MPI_Win_fence(0, win);

    printf("rank %d: %.63s\n", rank, copy);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
