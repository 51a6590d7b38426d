/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@22", "memcpy@23"], "NPROCS": 2, "DESCRIPTION": "memcpy of eight bytes reads the buffer of a get that is not complete"} */
/* The compiler may make a plain load of it; it reads the get's buffer in any case (MPI-4.1
   12.3.3). */
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
        memcpy(&bits, &copy, sizeof bits);
    }
    MPI_Win_unlock_all(win);

    printf("rank %d: %lx\n", rank, bits);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
