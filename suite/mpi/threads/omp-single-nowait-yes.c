/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@27", "STORE@30"], "NPROCS": 2, "DESCRIPTION": "`single nowait` puts, the next `single` stores to the origin buffer before any flush", "COMPILE": "-fopenmp"} */
/* Whether one thread runs both or two threads run one each: the put is not complete at the store
   (MPI-4.1 12.3). */
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
    int *cells, value = 1;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        #pragma omp parallel num_threads(2)
        {
            #pragma omp single nowait
            {
                MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
            }
            #pragma omp single
            value = 2;
        }
    }
    MPI_Win_unlock_all(win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
