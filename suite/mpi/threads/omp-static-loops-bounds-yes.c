/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@28", "MPI_Put@33"], "NPROCS": 2, "DESCRIPTION": "two static loops with different bounds put to the same cells, without a barrier", "COMPILE": "-fopenmp"} */
/* With other bounds another thread may have the iteration (OpenMP 5.2 11.5.3). */
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
            #pragma omp for schedule(static) nowait
            for (int i = 0; i < 16; i++) {
                MPI_Put(&values[i], 1, MPI_INT, 1, i, 1, MPI_INT, win);
                MPI_Win_flush(1, win);
            }
            #pragma omp for schedule(static)
            for (int i = 0; i < 12; i++) {
                MPI_Put(&values[i], 1, MPI_INT, 1, i, 1, MPI_INT, win);
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
