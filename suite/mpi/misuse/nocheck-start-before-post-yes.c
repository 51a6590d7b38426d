/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_start@22"], "NPROCS": 2, "DESCRIPTION": "MPI_Win_start with MPI_MODE_NOCHECK, but the target posts later", "RULE": "violated-assertion"} */
/* NOCHECK on start says that the matching posts are complete (MPI-4.1 12.5.5); the target posts
   only after a barrier that follows the start. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 1, peer = 1 - rank;
    MPI_Group world, others;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &others);

    if (rank == 0) {
        MPI_Win_start(others, MPI_MODE_NOCHECK, win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_post(others, MPI_MODE_NOCHECK, win);
        MPI_Win_wait(win);
    }

    MPI_Group_free(&others);
    MPI_Group_free(&world);
    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
