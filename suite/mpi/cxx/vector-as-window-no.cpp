/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a std::vector is the window, its owner sums it after the put's epoch"} */
/* The fence completes the put (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <cstdio>
#include <vector>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<int> cells(50, 1);
    int value = 9, sum = 0;
    MPI_Win win;
    MPI_Win_create(cells.data(), 50 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    const int *data = cells.data();

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 33, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        for (int i = 0; i < 50; i++)
            sum += data[i];
    MPI_Win_fence(0, win);

    std::printf("rank %d: %d\n", rank, sum);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
