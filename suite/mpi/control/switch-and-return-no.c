/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a switch and a return statement read a cell beside the one that a put writes"} */
/* classify() reads x[2] and x[3], the put writes x[4] (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

static int classify(const int *cells)
{
    switch (cells[0]) {
    case 1:
        return cells[1];
    default:
        return -1;
    }
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
        MPI_Put(&value, 1, MPI_INT, 1, 4, 1, MPI_INT, win);
    } else {
        value = classify(&x[2]);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", value);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
