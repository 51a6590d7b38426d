/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a compare_and_swap and an accumulate of neighbouring cells"} */
/* The accumulate goes to x[1] (MPI-4.1 12.3.4, 12.7.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine = rank + 1, nobody = 0, found = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Compare_and_swap(&mine, &nobody, &found, MPI_INT, 1, 0, win);
    }
    if (rank == 1) {
        MPI_Accumulate(&mine, 1, MPI_UNSIGNED, 1, 1, 1, MPI_UNSIGNED, MPI_SUM, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d %d\n", x[0], found);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
