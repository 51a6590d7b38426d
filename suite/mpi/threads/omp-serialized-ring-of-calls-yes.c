/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@29", "LOAD@32"], "NPROCS": 2, "DESCRIPTION": "threads take turns to call MPI; one gets, the next reads the result before the flush of the third", "COMPILE": "-fopenmp"} */
/* The OpenMP barriers serialise the calls but do not complete the get (MPI-4.1 11.6.2, 12.3.3). */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) {
        printf("this MPI library does not provide MPI_THREAD_SERIALIZED\n");
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, copy = 0, seen = 0;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[0] = 7;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        #pragma omp parallel num_threads(3)
        {
            int me = omp_get_thread_num();
            if (me == 0)
                MPI_Get(&copy, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
            #pragma omp barrier
            if (me == 1)
                seen = copy;
            #pragma omp barrier
            if (me == 2)
                MPI_Win_flush(1, win);
        }
    }
    MPI_Win_unlock_all(win);

    printf("rank %d: %d\n", rank, seen);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
