/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@33", "LOAD@31"], "NPROCS": 2, "DESCRIPTION": "a promise is kept before the get is complete, the holder of the future reads its buffer", "COMPILE": "-pthread"} */
/* The future orders the reader after the call of the get, not after its completion (MPI-4.1
   12.3.3). */
#include <mpi.h>
#include <cstdio>
#include <future>
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
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[0] = 6 + rank;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        std::promise<void> arrived;
        std::future<void> arrival = arrived.get_future();
        std::thread reader([&] {
            arrival.get();
            std::printf("got %d\n", copy);
        });
        MPI_Get(&copy, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        arrived.set_value();
        reader.join();
    }
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
