/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@20", "printf@21"], "NPROCS": 2, "DESCRIPTION": "printf prints a string that a get has not yet brought"} */
/* printf reads the buffer through its %s argument before the get is complete (MPI-4.1 12.3.3). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *text;
    static char copy[32] = "nothing";
    MPI_Win win;
    MPI_Win_allocate(32, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &text, &win);
    snprintf(text, 32, "written by rank %d", rank);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Get(copy, 32, MPI_CHAR, 1, 0, 32, MPI_CHAR, win);
        printf("rank %d got: %.31s\n", rank, copy);
    }
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
