/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "memcpy of eight bytes reads the buffer of a get that is complete"} */
/* The flush completes the get (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *cells, copy = 0.0;
    unsigned long bits = 0;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[0] = rank;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Get(&copy, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, win);
        MPI_Win_flush(1, win);
        memcpy(&bits, &copy, sizeof bits);
    }
    MPI_Win_unlock_all(win);

    printf("rank %d: %lx\n", rank, bits);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
