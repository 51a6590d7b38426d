/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@21", "MPI_Put@26"], "NPROCS": 2, "DESCRIPTION": "two windows over shifted parts of one array, a put through each meets the other"} */
/* Byte ranges decide, not windows: element 4 of the first is element 0 of the second (MPI-4.1
   12.2.1: concurrent operations on overlapping windows are undefined). */
#include <mpi.h>
#include <stdio.h>

static int cells[8];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 100 + rank, note = 0;
    MPI_Win low, high;
    MPI_Win_create(cells, 6 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &low);
    MPI_Win_create(cells + 4, 4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &high);

    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, low);
        MPI_Put(&value, 1, MPI_INT, 1, 4, 1, MPI_INT, low);
        MPI_Win_unlock(1, low);
        MPI_Send(&note, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, high);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, high);
        MPI_Win_unlock(1, high);
        MPI_Recv(&note, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        printf("element 4 is %d\n", cells[4]);

    MPI_Win_free(&high);
    MPI_Win_free(&low);
    MPI_Finalize();
    return 0;
}
