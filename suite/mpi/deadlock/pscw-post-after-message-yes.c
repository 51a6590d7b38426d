/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_start@20"], "NPROCS": 2, "DESCRIPTION": "a post after a message that its start comes before", "RULE": "deadlock", "TIME_LIMIT": 5} */
/* MPI_Win_start may wait for the post, which waits for a message from after the start: where a
   library waits, as Open MPI and MPICH do, they hang (MPI-4.1 12.5.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, peer = 1 - rank, rows;
    MPI_Group world, other;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &other);
    if (rank == 0) {
        rows = 4;
        MPI_Win_start(other, 0, win);
        MPI_Send(&rows, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        MPI_Recv(&rows, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_post(other, 0, win);
        MPI_Win_wait(win);
        printf("%d of %d rows\n", cells[0], rows);
    }
    MPI_Group_free(&other);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
