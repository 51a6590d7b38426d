/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "bytes put at odd offsets, the owner stores to their neighbours only"} */
/* The put covers bytes 5 to 7, the stores hit 4 and 8: neighbours are not conflicts (MPI-4.1
   12.7). */
#include <mpi.h>
#include <stdio.h>

static char text[16];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char piece[3] = {'x', 'y', 'z'};
    MPI_Win win;
    MPI_Win_create(text, sizeof text, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(piece, 3, MPI_CHAR, 1, 5, 3, MPI_CHAR, win);
    if (rank == 1) {
        text[4] = 'a';
        text[8] = 'c';
    }
    MPI_Win_fence(0, win);

    if (rank == 1)
        printf("%c%c%c\n", text[4], text[7], text[8]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
