/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@23", "STORE@25"], "NPROCS": 2, "DESCRIPTION": "a lambda on a std::thread stores to the buffer of a put that is not complete", "COMPILE": "-pthread"} */
/* The thread is created after the put but before its flush (MPI-4.1 12.3.2). */
#include <mpi.h>
#include <cstdio>
#include <thread>

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
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        std::thread helper([&value] {
            value = 2;
        });
        helper.join();
    }
    MPI_Win_unlock_all(win);

    std::printf("rank %d: %d\n", rank, value);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
