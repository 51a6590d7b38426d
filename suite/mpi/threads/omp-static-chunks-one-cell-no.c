/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "each chunk of a loop puts to its own cell", "COMPILE": "-fopenmp"} */
/* Iterations of a chunk are ordered, chunks are not (OpenMP 5.2 11.5.3). */
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
        #pragma omp parallel for schedule(static, 2)
        for (int i = 0; i < 16; i++) {
            MPI_Put(&values[i], 1, MPI_INT, 1, i / 2, 1, MPI_INT, win);
            MPI_Win_flush(1, win);
        }
    }
    MPI_Win_unlock_all(win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
