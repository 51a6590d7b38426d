/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a std::function reads the buffer of a get after its wait"} */
/* MPI_Wait completes the get (MPI-4.1 12.3.4). */
#include <mpi.h>
#include <cstdio>
#include <functional>

static void with_copy(MPI_Win win, int *copy, const std::function<void()> &use)
{
    MPI_Request request;
    MPI_Rget(copy, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    use();
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, copy = 0, doubled = 0;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[0] = 6 + rank;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0)
        with_copy(win, &copy, [&] {
            doubled = 2 * copy;
        });
    MPI_Win_unlock_all(win);

    std::printf("rank %d: %d\n", rank, doubled);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
