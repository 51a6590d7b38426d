/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "iterations put from the static buffer of their thread and flush", "COMPILE": "-fopenmp"} */
/* What a thread has by its number, its iterations use one after the other (OpenMP 5.2 18.2.4). */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

static int scratch[256];

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
        #pragma omp parallel for schedule(dynamic, 1)
        for (int i = 0; i < 16; i++) {
            int mine = omp_get_thread_num();
            scratch[mine] = i;
            MPI_Put(&scratch[mine], 1, MPI_INT, 1, i, 1, MPI_INT, win);
            MPI_Win_flush(1, win);
        }
    }
    MPI_Win_unlock_all(win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
