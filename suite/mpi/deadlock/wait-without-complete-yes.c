/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_wait@26", "MPI_Barrier@22"], "NPROCS": 2, "DESCRIPTION": "the target waits for an origin that reaches MPI_Win_complete only after a barrier", "RULE": "deadlock", "TIME_LIMIT": 10} */
/* MPI_Win_wait waits for MPI_Win_complete, which lies after a barrier that the target has not
   reached (MPI-4.1 12.5.2). */
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
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &others);

    if (rank == 0) {
        MPI_Win_start(others, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(others, 0, win);
        MPI_Win_wait(win);
        MPI_Barrier(MPI_COMM_WORLD);
    }

    MPI_Group_free(&others);
    MPI_Group_free(&world);
    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
