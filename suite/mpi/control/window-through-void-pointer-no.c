/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "windows travel through a void pointer, and the right one is flushed"} */
/* The helper flushes the window of the put (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <stdio.h>

static void finish(void *context)
{
    MPI_Win *win = context;
    MPI_Win_flush_all(*win);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7, seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win other;
    int *y;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &y, &other);
    MPI_Win_lock_all(0, other);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        finish(&win);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        seen = x[0];
    }
    MPI_Win_unlock_all(win);
    MPI_Win_unlock_all(other);

    printf("%d\n", seen);
    MPI_Win_free(&other);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
