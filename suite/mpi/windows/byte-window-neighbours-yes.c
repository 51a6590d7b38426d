/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@20", "STORE@23"], "NPROCS": 2, "DESCRIPTION": "bytes put at odd offsets, the owner stores to one of them and to their neighbours"} */
/* The put covers bytes 5 to 7; the owner's store to byte 7 meets it, those to 4 and 8 do not
   (MPI-4.1 12.7). */
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
        text[7] = 'b';
        text[8] = 'c';
    }
    MPI_Win_fence(0, win);

    if (rank == 1)
        printf("%c%c%c\n", text[4], text[7], text[8]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
