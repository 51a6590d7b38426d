/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@28", "MPI_Put@28"], "NPROCS": 3, "DESCRIPTION": "two origins put to one cell in one exposure epoch", "RULE": "remote-race"} */
/* Both puts may come in any order while the window is exposed to both (MPI-4.1 12.5.2, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Group world, group;
    MPI_Comm_group(MPI_COMM_WORLD, &world);

    if (rank == 1) {
        MPI_Group_incl(world, 2, (int[]){0, 2}, &group);
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
    } else {
        MPI_Group_incl(world, 1, (int[]){1}, &group);
        MPI_Win_start(group, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
    printf("%d\n", x[0]);

    MPI_Group_free(&group);
    MPI_Group_free(&world);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
