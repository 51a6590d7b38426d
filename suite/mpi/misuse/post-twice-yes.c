/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_post@22"], "NPROCS": 2, "DESCRIPTION": "MPI_Win_post while an exposure epoch is open", "RULE": "mixed-epochs"} */
/* The first exposure epoch must end with MPI_Win_wait before the next (MPI-4.1 12.5.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, peer = 1 - rank;
    MPI_Group world, others;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &others);

    if (rank == 1) {
        MPI_Win_post(others, 0, win);
        MPI_Win_post(others, 0, win);
        MPI_Win_wait(win);
    } else {
        MPI_Win_start(others, 0, win);
        MPI_Win_complete(win);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Group_free(&others);
    MPI_Group_free(&world);
    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
