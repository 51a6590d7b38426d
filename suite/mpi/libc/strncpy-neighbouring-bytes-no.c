/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "strncpy pads its field with zeros, the put writes the byte after the field"} */
/* strncpy writes bytes 0 to 15, the put byte 16: neighbours do not conflict (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *table, mark = '#';
    char name[8] = "abc";
    MPI_Win win;
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &table, &win);
    name[3] = (char)('0' + rank);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&mark, 1, MPI_CHAR, 1, 16, 1, MPI_CHAR, win);
    if (rank == 1)
        strncpy(table, name, 16);
    MPI_Win_fence(0, win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
