/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "each process posts before it starts"} */
/* Posts wait for nobody, so that each start meets its post (MPI-4.1 12.5.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = rank, peer = 1 - rank;
    MPI_Group world, others;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &others);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    cells[0] = -1;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_post(others, 0, win);
    MPI_Win_start(others, 0, win);
    MPI_Put(&value, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);

    MPI_Group_free(&others);
    MPI_Group_free(&world);
    printf("rank %d has %d\n", rank, cells[0]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
