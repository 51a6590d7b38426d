/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@28", "LOAD@36"], "NPROCS": 2, "DESCRIPTION": "a message sent by another thread does not order this thread's put", "COMPILE": "-fopenmp"} */
/* The send of thread 1 is unordered with the put of thread 0 (MPI-4.1 12.7, 11.6.2). */
#include <mpi.h>
#include <omp.h>
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
    int *cells, value = 1, note = 0;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[0] = 0;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        #pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 0) {
                MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
                MPI_Win_flush(1, win);
            }
            if (omp_get_thread_num() == 1)
                MPI_Send(&note, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
        }
    } else {
        MPI_Recv(&note, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("rank 1 sees %d\n", cells[0]);
    }
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
