/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@28", "STORE@30"], "NPROCS": 2, "DESCRIPTION": "an ordered loop: iteration 0 puts, iteration 1 stores to the buffer, no flush", "COMPILE": "-fopenmp"} */
/* `ordered` gives the order of the iterations but does not complete the put (MPI-4.1 12.3,
   OpenMP 5.1 2.19.9). */
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
        #pragma omp parallel for ordered schedule(static, 1) num_threads(2)
        for (int i = 0; i < 2; i++) {
            #pragma omp ordered
            {
                if (i == 0) {
                    MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
                } else {
                    value = 2;
                }
            }
        }
    }
    MPI_Win_unlock_all(win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
