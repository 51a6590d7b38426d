/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the owner reads the element after 100,000 that a put writes"} */
/* x[100000] is the first element that the put leaves alone (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static double row[100000];
    double seen = 0.0;
    double *x;
    MPI_Win win;
    MPI_Win_allocate(100001 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 100001; i++)
        x[i] = rank;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(row, 100000, MPI_DOUBLE, 1, 0, 100000, MPI_DOUBLE, win);
    } else {
        seen = x[100000];
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%f\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
