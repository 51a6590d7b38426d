/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@19", "STORE@20"], "NPROCS": 2, "DESCRIPTION": "a get, then a store of its origin buffer, in a lock_all epoch"} */
/* Nothing completes the first operation before the second access (Ait Kaci 2022, Figure 4.3 and Table 4.1). */
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

    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Get(&buf, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        buf = 7;
    }
    MPI_Win_unlock_all(win);

    printf("rank %d: %d %d\n", rank, buf, seen);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
