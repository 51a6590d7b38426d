/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@17", "STORE@20"], "NPROCS": 2, "DESCRIPTION": "a target region, which runs on the host without a device, stores to a buffer whose put is open", "COMPILE": "-fopenmp"} */
/* Without a device a target region is executed by the host (OpenMP 5.2 13.8, MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

static int buffer[8];

int main(int argc, char **argv)
{
    int rank, *cells;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(buffer, 8, MPI_INT, 1, 0, 8, MPI_INT, win);
#pragma omp target map(tofrom : buffer)
        for (int i = 0; i < 8; i++)
            buffer[i] = i;
    }
    MPI_Win_unlock_all(win);
    printf("%d\n", buffer[3]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
