/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a put, a fence, then a store of its origin buffer"} */
/* The first operation is complete before the second access (Ait Kaci 2022, §4.2, Figure 4.8). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, buf = 1, seen = 0;
    int *cells;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[0] = cells[1] = 3 + 2 * rank;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(&buf, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    if (rank == 0) {
        buf = 7;
    }
    MPI_Win_fence(0, win);

    printf("rank %d: %d %d\n", rank, buf, seen);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
