/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@34", "STORE@31"], "NPROCS": 2, "DESCRIPTION": "a loop without its barrier fills the buffer while the master thread puts it", "COMPILE": "-fopenmp"} */
/* With `nowait` thread 0 may put while thread 1 still fills its half (OpenMP 5.1 2.11.4, MPI-4.1
   12.3). */
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
            #pragma omp for schedule(static) nowait
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
