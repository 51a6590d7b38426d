/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@29", "STORE@32"], "NPROCS": 2, "DESCRIPTION": "a task puts and flushes, its creator stores to the source before it waits", "COMPILE": "-fopenmp"} */
/* A task is concurrent with its creator until that waits for it (OpenMP 5.2 12.5, 15.5). */
#include <mpi.h>
#include <stdio.h>

static int value = 1;

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
        #pragma omp single
        {
            #pragma omp task
            {
                MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
                MPI_Win_flush(1, win);
            }
            value = 2;
            #pragma omp taskwait
        }
    }
    MPI_Win_unlock_all(win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
