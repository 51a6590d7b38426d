/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the owner waits with loads under exclusive locks on its own window"} */
/* Put and loads each have the window for themselves (MPI-4.1 12.5.3). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, flag = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    } else {
        while (!flag) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
            flag = x[0];
            MPI_Win_unlock(1, win);
        }
    }

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", flag);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
