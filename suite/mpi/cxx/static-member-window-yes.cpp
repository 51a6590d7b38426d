/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@29", "STORE@10"], "NPROCS": 2, "DESCRIPTION": "a static data member is the window; a member function stores to it while a put is under way"} */
/* The store lies in a member function that is called before the closing fence (MPI-4.1 12.7). */
#include <mpi.h>
#include <cstdio>

class Board {
public:
    static void clear(int place)
    {
        cells[place] = 0;
    }
    static int cells[16];
};

int Board::cells[16];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 5;
    void (*action)(int) = Board::clear;
    MPI_Win win;
    MPI_Win_create(Board::cells, sizeof Board::cells, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 8, 1, MPI_INT, win);
    if (rank == 1)
        action(8);
    MPI_Win_fence(0, win);

    std::printf("rank %d: %d\n", rank, Board::cells[8]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
