/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Get@21"], "NPROCS": 2, "DESCRIPTION": "the last element of a get lies past the end of the target's window", "RULE": "out-of-range"} */
/* Elements 5 to 8 of a window of 8: the first three are inside, the last is not (MPI-4.1 12.3). */
#include <mpi.h>
#include <stdio.h>

static int cells[32];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int copy[4] = {0};
    MPI_Win win;
    MPI_Win_create(cells, 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);

    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Get(copy, 4, MPI_INT, 1, 5, 4, MPI_INT, win);
    MPI_Win_unlock_all(win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
