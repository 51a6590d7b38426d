/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "in all of forty fence epochs the owner reads what is not being written"} */
/* The put writes x[0], the owner reads x[1] (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7, total = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_fence(0, win);
    for (int step = 0; step < 40; step++) {
        if (rank == 0)
            MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        else
            total += x[step == 23 ? 2 : 1];
        MPI_Win_fence(0, win);
    }
    printf("%d\n", total);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
