/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@21", "strlen@22"], "NPROCS": 2, "DESCRIPTION": "strlen reads the buffer of a get that is not complete"} */
/* The get may write the string at any time before the flush (MPI-4.1 12.3.3). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *text;
    static char copy[32];
    size_t length = 0;
    MPI_Win win;
    MPI_Win_allocate(32, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &text, &win);
    snprintf(text, 32, "written by rank %d", rank);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, win);
    MPI_Get(copy, 32, MPI_CHAR, 1 - rank, 0, 32, MPI_CHAR, win);
    length = strlen(copy);
    MPI_Win_unlock(1 - rank, win);

    printf("rank %d: %zu\n", rank, length);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
