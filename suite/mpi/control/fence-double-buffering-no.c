/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "puts and loads use different halves of the window in each epoch"} */
/* In each epoch the owner reads the half that was written in the epoch before (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int row[8], total = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_fence(0, win);
    for (int step = 0; step < 6; step++) {
        int next = step % 2 * 8;
        int last = 8 - next;
        for (int i = 0; i < 8; i++)
            row[i] = step + i;
        MPI_Put(row, 8, MPI_INT, 1 - rank, next, 8, MPI_INT, win);
        for (int i = 0; i < 8; i++)
            total += x[last + i];
        MPI_Win_fence(0, win);
    }
    printf("%d\n", total);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
