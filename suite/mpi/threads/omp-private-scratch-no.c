/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "iterations put from what the implicit task allocated, and flush", "COMPILE": "-fopenmp"} */
/* What an implicit task has for itself, the chunks that it takes use one after the other (OpenMP
   5.2 5.1.1). */
#include <mpi.h>
#include <stdlib.h>
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
    int *cells;
    MPI_Win win;
    MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        #pragma omp parallel
        {
            int *buffer = malloc(sizeof *buffer), plain = 0;
            #pragma omp for schedule(dynamic, 1)
            for (int i = 0; i < 16; i++) {
                *buffer = plain = i;
                MPI_Put(buffer, 1, MPI_INT, 1, i, 1, MPI_INT, win);
                MPI_Put(&plain, 1, MPI_INT, 1, 16 + i, 1, MPI_INT, win);
                MPI_Win_flush(1, win);
            }
            #pragma omp single
            MPI_Win_flush(1, win);
            free(buffer);
        }
    }
    MPI_Win_unlock_all(win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
