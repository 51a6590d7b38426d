/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@35", "LOAD@33"], "NPROCS": 2, "DESCRIPTION": "a condition variable wakes a reader before the get is complete", "COMPILE": "-pthread"} */
/* The reader is ordered after the call of the get, not after its completion (MPI-4.1 12.3.3). */
#include <mpi.h>
#include <condition_variable>
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
    int *cells, copy = 0;
    bool ready = false;
    std::mutex guard;
    std::condition_variable changed;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[0] = 6 + rank;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        std::thread reader([&] {
            std::unique_lock<std::mutex> lock(guard);
            changed.wait(lock, [&] { return ready; });
            std::printf("got %d\n", copy);
        });
        MPI_Get(&copy, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        {
            std::lock_guard<std::mutex> lock(guard);
            ready = true;
        }
        changed.notify_one();
        reader.join();
    }
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
