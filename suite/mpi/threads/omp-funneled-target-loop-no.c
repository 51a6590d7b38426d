/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "two threads of the target sum its window after the closing fence", "COMPILE": "-fopenmp"} */
/* The fence completes the put, and the parallel region starts after it (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { LENGTH = 64 };

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) {
        printf("this MPI library does not provide MPI_THREAD_FUNNELED\n");
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 5, sum = 0;
    MPI_Win win;
    MPI_Win_allocate(LENGTH * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    for (int i = 0; i < LENGTH; i++)
        cells[i] = 1;

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, LENGTH - 1, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 1) {
        #pragma omp parallel for reduction(+ : sum) schedule(static) num_threads(2)
        for (int i = 0; i < LENGTH; i++)
            sum += cells[i];
    }
    MPI_Win_fence(0, win);

    printf("rank %d: sum %d\n", rank, sum);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
