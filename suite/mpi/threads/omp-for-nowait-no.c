/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a loop with its barrier fills the buffer before the master thread puts it", "COMPILE": "-fopenmp"} */
/* The barrier of the loop orders all stores before the put (OpenMP 5.1 2.11.4). */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { LENGTH = 64 };

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
    static int values[LENGTH];
    MPI_Win win;
    MPI_Win_allocate(LENGTH * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        #pragma omp parallel num_threads(2)
        {
            #pragma omp for schedule(static)
            for (int i = 0; i < LENGTH; i++)
                values[i] = i;
            #pragma omp master
            {
                MPI_Put(values, LENGTH, MPI_INT, 1, 0, LENGTH, MPI_INT, win);
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
