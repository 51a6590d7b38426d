/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a character of a std::string is changed after the put's unlock"} */
/* MPI_Win_unlock completes the put (MPI-4.1 12.5.3). */
#include <mpi.h>
#include <cstdio>
#include <string>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::string text = "a text that is too long for the small buffer of a string object";
    char *cells;
    char *first = &text[0];
    MPI_Win win;
    MPI_Win_allocate(80, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(text.data(), static_cast<int>(text.size()), MPI_CHAR, 1, 0, static_cast<int>(text.size()), MPI_CHAR, win);
        MPI_Win_unlock(1, win);
        first[2] = 'T';
    }

    std::printf("rank %d: %s\n", rank, text.c_str());
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
