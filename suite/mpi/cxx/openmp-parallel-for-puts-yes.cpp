/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@26", "STORE@27"], "NPROCS": 2, "DESCRIPTION": "the threads of an OpenMP loop put and change their elements without a flush", "COMPILE": "-fopenmp"} */
/* Every iteration changes the element that it has just put (MPI-4.1 12.3.2). */
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
            first[i] = 2;
        }
        MPI_Win_flush(1, win);
    }
    MPI_Win_unlock_all(win);

    std::printf("rank %d: %d\n", rank, first[7]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
