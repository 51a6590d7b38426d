/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a function keeps its buffer in a static variable and completes each put"} */
/* MPI_Win_flush_local completes the operation at the origin (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <stdio.h>

static void send(int number, MPI_Win win)
{
    static int cell;
    cell = number;
    MPI_Put(&cell, 1, MPI_INT, 1, number, 1, MPI_INT, win);
    MPI_Win_flush_local(1, win);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        send(1, win);
        send(2, win);
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
