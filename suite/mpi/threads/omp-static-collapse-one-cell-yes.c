/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@27", "MPI_Put@27"], "NPROCS": 2, "DESCRIPTION": "iterations of two collapsed static loops put to the same cells", "COMPILE": "-fopenmp"} */
/* The two loops are one of 16 iterations, which are not ordered (OpenMP 5.2 11.5.3). */
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
        #pragma omp parallel for collapse(2)
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                MPI_Put(&values[4 * i + j], 1, MPI_INT, 1, j, 1, MPI_INT, win);
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
