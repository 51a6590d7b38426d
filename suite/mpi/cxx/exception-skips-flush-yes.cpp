/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@9", "STORE@29"], "NPROCS": 2, "DESCRIPTION": "an exception skips the flush, the handler stores to the buffer of the put"} */
/* The handler runs while the put is pending (MPI-4.1 12.3.2). */
#include <mpi.h>
#include <cstdio>
#include <stdexcept>

static void send_checked(const int &value, bool fail, MPI_Win win)
{
    MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    if (fail)
        throw std::runtime_error("value out of bounds");
    MPI_Win_flush_local(1, win);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 1000;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        try {
            send_checked(value, value > 100, win);
        } catch (const std::runtime_error &error) {
            value = 100;
            std::printf("%s\n", error.what());
        }
    }
    MPI_Win_unlock_all(win);

    std::printf("rank %d: %d\n", rank, value);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
