/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@28", "LOAD@32"], "NPROCS": 2, "DESCRIPTION": "two threads of the target sum its window while a put is under way", "COMPILE": "-fopenmp"} */
/* The master thread alone calls MPI (FUNNELED); the loop runs before the closing fence (MPI-4.1
   11.6.2, 12.7). */
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
