/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "two windows over the same array: put and flush go through the same window"} */
/* The flush of the window that carried the put completes it (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int cells[8] = {0};
    int value = 6;
    MPI_Win whole, again;
    MPI_Win_create(cells, sizeof cells, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &whole);
    MPI_Win_create(cells, sizeof cells, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &again);

    MPI_Win_lock_all(0, whole);
    MPI_Win_lock_all(0, again);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 2, 1, MPI_INT, whole);
        MPI_Win_flush(1, whole);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        int seen = cells[2];
        printf("rank 1 sees %d\n", seen);
    }
    MPI_Win_unlock_all(again);
    MPI_Win_unlock_all(whole);

    MPI_Win_free(&again);
    MPI_Win_free(&whole);
    MPI_Finalize();
    return 0;
}
