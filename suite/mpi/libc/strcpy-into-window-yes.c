/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Get@23", "strcpy@21"], "NPROCS": 2, "DESCRIPTION": "the owner writes a name into its window by strcpy while another process gets it"} */
/* strcpy stores to the window before the closing fence (MPI-4.1 12.7). */
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

    MPI_Win_fence(0, win);
    if (rank == 1)
        strcpy(name, own);
    if (rank == 0)
        MPI_Get(copy, 64, MPI_CHAR, 1, 0, 64, MPI_CHAR, win);
    MPI_Win_fence(0, win);

    printf("rank %d: %.63s\n", rank, copy);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
