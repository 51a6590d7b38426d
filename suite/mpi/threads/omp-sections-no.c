/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "one section gets, the result is read after the sections and a flush", "COMPILE": "-fopenmp"} */
/* The barrier at the end of `sections` and the flush come before the load (MPI-4.1 12.3.3,
   12.5.4). */
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
    int *cells, copy = 0, doubled = 0;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[1] = rank + 5;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        #pragma omp parallel sections num_threads(2)
        {
            #pragma omp section
            MPI_Get(&copy, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
            #pragma omp section
            doubled = -1;
        }
        MPI_Win_flush(1, win);
        doubled = 2 * copy;
    }
    MPI_Win_unlock_all(win);

    printf("rank %d: %d\n", rank, doubled);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
