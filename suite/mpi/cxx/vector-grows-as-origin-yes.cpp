/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@19", "free@20"], "NPROCS": 2, "DESCRIPTION": "a std::vector grows while a put reads from it"} */
/* A vector that grows gives its memory back, which the put may still read (MPI-4.1 12.3). */
#include <mpi.h>
#include <cstdio>
#include <vector>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<int> numbers(50, rank);
    int *cells;
    MPI_Win win;
    MPI_Win_allocate(50 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(numbers.data(), 50, MPI_INT, 1, 0, 50, MPI_INT, win);
        numbers.resize(5000); // moves, and calls free
    }
    MPI_Win_unlock_all(win);

    std::printf("rank %d: %zu\n", rank, numbers.size());
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
