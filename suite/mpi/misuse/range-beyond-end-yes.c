/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Put@22"], "NPROCS": 2, "DESCRIPTION": "a put wholly past the end of the target's window", "RULE": "out-of-range"} */
/* The window has 8 elements; displacement 8 is the first one past it (MPI-4.1 12.3). The array
   is longer, so nothing crashes. */
#include <mpi.h>
#include <stdio.h>

static int cells[32];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 1;
    MPI_Win win;
    MPI_Win_create(cells, 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 8, 1, MPI_INT, win);
    MPI_Win_fence(0, win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
