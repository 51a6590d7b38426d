/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@30", "STORE@28"], "NPROCS": 2, "DESCRIPTION": "an atomic flag tells another thread that the put is issued, which then stores to its buffer", "COMPILE": "-pthread"} */
/* The flag is set before the flush (MPI-4.1 12.3.2). */
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
    std::atomic<bool> done{false};
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        std::thread helper([&] {
            while (!done.load(std::memory_order_acquire))
                std::this_thread::yield();
            value = 2;
        });
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        done.store(true, std::memory_order_release);
        helper.join();
    }
    MPI_Win_unlock_all(win);

    std::printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
