/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a variable-length array is read after the get into it is complete"} */
/* MPI_Win_flush_local completes the operation at the origin (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <stdio.h>

static int last_of(int count, MPI_Win win)
{
    int row[count];
    MPI_Get(row, count, MPI_INT, 1, 0, count, MPI_INT, win);
    MPI_Win_flush_local(1, win);
    int last = row[count - 1];
    return last;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        value = last_of(9, win);
    } else {
        printf("idle\n");
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", value);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
