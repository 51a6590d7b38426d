/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a task stores to the target of a get that its parent issues after the taskgroup", "COMPILE": "-fopenmp"} */
/* The end of the taskgroup waits for the task (OpenMP 5.1 2.19.6). */
#include <mpi.h>
#include <stdio.h>

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
    int *cells, copy = 0;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[0] = 0;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        #pragma omp parallel num_threads(2)
        #pragma omp single
        {
            #pragma omp taskgroup
            {
                #pragma omp task shared(copy)
                copy = -1;
            }
            MPI_Get(&copy, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        }
        MPI_Win_flush(1, win);
    }
    MPI_Win_unlock_all(win);

    printf("rank %d: %d\n", rank, copy);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
