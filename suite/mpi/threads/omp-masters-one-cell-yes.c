/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@28", "MPI_Put@33"], "NPROCS": 2, "DESCRIPTION": "a `master` and a `single` put to the same cell, without a barrier", "COMPILE": "-fopenmp"} */
/* The primary thread runs the `master`, any thread the `single` (OpenMP 5.2 10.5, 11.1). */
#include <mpi.h>
#include <stdio.h>

static int values[16];

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        printf("this MPI library does not provide MPI_THREAD_MULTIPLE\n");
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells;
    MPI_Win win;
    MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        #pragma omp parallel
        {
            #pragma omp master
            {
                MPI_Put(&values[0], 1, MPI_INT, 1, 0, 1, MPI_INT, win);
                MPI_Win_flush(1, win);
            }
            #pragma omp single nowait
            {
                MPI_Put(&values[1], 1, MPI_INT, 1, 0, 1, MPI_INT, win);
                MPI_Win_flush(1, win);
            }
        }
    }
    MPI_Win_unlock_all(win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
