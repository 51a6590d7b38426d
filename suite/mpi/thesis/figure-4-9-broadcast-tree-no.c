/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a loop whose condition reads what a flushed get of an earlier round brought"} */
/* Each get is complete before the next round (Ait Kaci 2022, Figure 4.9, repaired). */
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

    int mask = 1;
    MPI_Win_lock_all(0, win);
    while (mask < 4 && buf != 100) {
        if (rank & mask) {
            MPI_Get(&buf, 1, MPI_INT, rank - mask, 0, 1, MPI_INT, win);
            MPI_Win_flush(rank - mask, win);
        }
        mask <<= 1;
    }
    MPI_Win_unlock_all(win);

    printf("rank %d: %d %d\n", rank, buf, seen);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
