/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@11", "STORE@13"], "NPROCS": 2, "DESCRIPTION": "each level of a recursion puts its own cell, and overwrites it on the way back", "RULE": "local-race"} */
/* The put reads its origin buffer until it is complete at the origin (MPI-4.1 12.3.1, 12.5.4); no
   level completes its put. */
#include <mpi.h>
#include <stdio.h>

static void descend(int *cells, int depth, MPI_Win win)
{
    if (depth == 0)
        return;
    MPI_Put(cells, 1, MPI_INT, 1, depth, 1, MPI_INT, win);
    descend(cells + 1, depth - 1, win);
    *cells = 0;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int row[5] = {1, 2, 3, 4, 5};
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        descend(row, 5, win);
    } else {
        printf("idle\n");
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
