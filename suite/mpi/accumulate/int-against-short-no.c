/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "an accumulate of an int and of a short after it"} */
/* The short covers bytes 4 and 5, the int bytes 0 to 3 (MPI-4.1 12.3.4, 12.7.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1;
    short small = 1;
    char *x;
    MPI_Win win;
    MPI_Win_allocate(32 * sizeof(char), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 32; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
    }
    if (rank == 1) {
        MPI_Accumulate(&small, 1, MPI_SHORT, 1, 4, 1, MPI_SHORT, MPI_SUM, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
