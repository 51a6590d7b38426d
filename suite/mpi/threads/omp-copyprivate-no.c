/* {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "an index by copyprivate, after the put from that place is flushed", "COMPILE": "-fopenmp"} */
/* Only who follows copyprivate knows which element is stored (OpenMP 5.2 5.7.2, MPI-4.1 12.7). */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

static int buffer[8];

int main(int argc, char **argv)
{
    int rank, provided, *cells;
    MPI_Win win;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
#pragma omp parallel num_threads(2)
        {
            int slot = 0;
#pragma omp single copyprivate(slot)
            {
                slot = 3;
                MPI_Put(&buffer[slot], 1, MPI_INT, 1, 0, 1, MPI_INT, win);
                MPI_Win_flush_local(1, win);
            }
            if (omp_get_thread_num() == 1)
                buffer[slot] = slot;
        }
    }
    MPI_Win_unlock_all(win);
    printf("%d\n", buffer[3]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
