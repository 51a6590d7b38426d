/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@31", "STORE@29"], "NPROCS": 2, "DESCRIPTION": "a relaxed atomic flag is set after the flush, but relaxed accesses order nothing", "COMPILE": "-pthread"} */
/* Without release and acquire the flush does not happen before the store (C++17 6.9.2, MPI-4.1
   12.3.2). */
#include <mpi.h>
#include <atomic>
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
    std::atomic<int> done{0};
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        std::thread helper([&] {
            while (done.load(std::memory_order_relaxed) == 0)
                std::this_thread::yield();
            value = 2;
        });
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        done.store(1, std::memory_order_relaxed);
        helper.join();
    }
    MPI_Win_unlock_all(win);

    std::printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
