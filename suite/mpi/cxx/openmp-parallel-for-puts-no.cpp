/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the threads of an OpenMP loop put their elements, which are changed after the loop and a flush", "COMPILE": "-fopenmp"} */
/* The barrier of the loop and the flush come before the stores (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <cstdio>
#include <vector>

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
    std::vector<int> values(8, 1);
    int *cells, *first = values.data();
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        #pragma omp parallel for num_threads(2)
        for (int i = 0; i < 8; i++) {
            MPI_Put(first + i, 1, MPI_INT, 1, i, 1, MPI_INT, win);
        }
        MPI_Win_flush(1, win);
        for (int i = 0; i < 8; i++)
            first[i] = 2;
    }
    MPI_Win_unlock_all(win);

    std::printf("rank %d: %d\n", rank, first[7]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
