/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@22", "STORE@28"], "NPROCS": 2, "DESCRIPTION": "only the last put of a loop with a stride meets the owner's store"} */
/* The loop writes elements 3, 10, 17 and 24; the owner stores element 24 in the same epoch
   (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

enum { OFFSET = 3, STRIDE = 7, PUTS = 4 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, values[PUTS] = {1, 2, 3, 4};
    MPI_Win win;
    MPI_Win_allocate(32 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        for (int i = 0; i < PUTS; i++) {
            MPI_Aint where = OFFSET + (MPI_Aint)i * STRIDE;
            MPI_Put(&values[i], 1, MPI_INT, 1, where, 1, MPI_INT, win);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        cells[23] = 5;
        cells[24] = 6;
        cells[25] = 7;
    }
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    if (rank == 0)
        printf("put %d values\n", PUTS);
    MPI_Finalize();
    return 0;
}
