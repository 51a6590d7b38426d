/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "DESCRIPTION": "one epoch with two targets; each reads after its own MPI_Win_wait"} */
/* Each MPI_Win_wait completes the puts to its own window (MPI-4.1 12.5.2). */
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

    MPI_Group world, group;
    MPI_Comm_group(MPI_COMM_WORLD, &world);

    if (rank == 0) {
        MPI_Group_incl(world, 2, (int[]){1, 2}, &group);
        MPI_Win_start(group, 0, win);
        for (int target = 1; target <= 2; target++)
            MPI_Put(&value, 1, MPI_INT, target, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        MPI_Group_incl(world, 1, (int[]){0}, &group);
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
        seen = x[0];
    }
    printf("%d\n", seen);

    MPI_Group_free(&group);
    MPI_Group_free(&world);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
