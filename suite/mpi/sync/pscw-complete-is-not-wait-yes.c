/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@25", "LOAD@31"], "NPROCS": 2, "DESCRIPTION": "the target reads after the origin's MPI_Win_complete and a barrier, but before its own MPI_Win_wait", "RULE": "remote-race"} */
/* MPI_Win_complete completes the put at the origin, not necessarily at the target, and the barrier
   does not help (MPI-4.1 12.5.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7, seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Group world, other;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){1 - rank}, &other);

    if (rank == 0) {
        MPI_Win_start(other, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Win_post(other, 0, win);
        MPI_Barrier(MPI_COMM_WORLD);
        seen = x[0];
        MPI_Win_wait(win);
    }
    printf("%d\n", seen);

    MPI_Group_free(&other);
    MPI_Group_free(&world);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
