/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_post@26"], "NPROCS": 3, "DESCRIPTION": "rank 1 posts for ranks 0 and 2, but rank 2 never starts an access epoch", "RULE": "group-mismatch", "TIME_LIMIT": 10} */
/* MPI_Win_wait waits for all processes of the post group; rank 2 is not going to complete
   (MPI-4.1 12.5.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 1, target = 1;
    int origins[2] = {0, 2};
    MPI_Group world, to, from;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &target, &to);
    MPI_Group_incl(world, 2, origins, &from);

    if (rank == 0) {
        MPI_Win_start(to, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else if (rank == 1) {
        MPI_Win_post(from, 0, win);
        MPI_Win_wait(win);
    }

    MPI_Group_free(&from);
    MPI_Group_free(&to);
    MPI_Group_free(&world);
    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
