/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@18", "puts@20"], "NPROCS": 2, "DESCRIPTION": "the owner prints its window by puts while a put writes to it"} */
/* puts reads the string before the closing fence (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *line, mark = '*';
    MPI_Win win;
    MPI_Win_allocate(32, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &line, &win);
    snprintf(line, 32, "a line of rank %d", rank);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&mark, 1, MPI_CHAR, 1, 2, 1, MPI_CHAR, win);
    if (rank == 1)
        puts(line);
    MPI_Win_fence(0, win);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
