/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Accumulate@21", "MPI_Put@24"], "NPROCS": 2, "DESCRIPTION": "an accumulate of four elements and a put in the middle of them", "RULE": "remote-race"} */
/* The put of x[2] is not atomic towards the accumulate of x[0..3] (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int row[4] = {1, 2, 3, 4};
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Accumulate(row, 4, MPI_INT, 1, 0, 4, MPI_INT, MPI_SUM, win);
    }
    if (rank == 1) {
        MPI_Put(row, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
