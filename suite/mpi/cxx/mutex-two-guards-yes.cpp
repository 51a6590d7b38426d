/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@31", "STORE@27"], "NPROCS": 2, "DESCRIPTION": "put and store are guarded by two different mutexes", "COMPILE": "-pthread"} */
/* Two mutexes do not order what they guard (MPI-4.1 12.3.2). */
#include <mpi.h>
#include <cstdio>
#include <mutex>
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
    std::mutex communication, data;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        std::thread helper([&] {
            std::lock_guard<std::mutex> guard(data);
            value = 2;
        });
        {
            std::lock_guard<std::mutex> guard(communication);
            MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
            MPI_Win_flush(1, win);
        }
        helper.join();
    }
    MPI_Win_unlock_all(win);

    std::printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
