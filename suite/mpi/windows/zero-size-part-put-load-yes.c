/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@22", "LOAD@24"], "NPROCS": 2, "DESCRIPTION": "a window with memory on one process only; put into it and load by its owner"} */
/* Rank 0 exposes no memory (size 0), rank 1 does; put and load are in one fence epoch (MPI-4.1
   12.2.1, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int cells[4] = {0};
    int value = 2;
    MPI_Win win;
    if (rank == 0)
        MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    else
        MPI_Win_create(cells, sizeof cells, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    if (rank == 1) {
        int seen = cells[0];
        printf("rank 1 sees %d\n", seen);
    }
    MPI_Win_fence(0, win);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
