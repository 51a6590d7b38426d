/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@23", "STORE@25"], "NPROCS": 2, "DESCRIPTION": "an array of windows: the flush names the neighbouring window, then the origin buffer is reused"} */
/* The put goes through wins[1]; flushing wins[2] does not complete it, so the store to its
   origin buffer races (MPI-4.1 12.3, 12.5.4). */
#include <mpi.h>
#include <stdio.h>

enum { WINDOWS = 3 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int cells[WINDOWS][4] = {{0}};
    int values[WINDOWS] = {1, 2, 3};
    MPI_Win wins[WINDOWS];
    for (int w = 0; w < WINDOWS; w++) {
        MPI_Win_create(cells[w], sizeof cells[w], sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &wins[w]);
        MPI_Win_lock_all(0, wins[w]);
    }

    if (rank == 0) {
        MPI_Put(&values[1], 1, MPI_INT, 1, 0, 1, MPI_INT, wins[1]);
        MPI_Win_flush(1, wins[2]);
        values[1] = 20;
    }

    for (int w = 0; w < WINDOWS; w++) {
        MPI_Win_unlock_all(wins[w]);
        MPI_Win_free(&wins[w]);
    }
    printf("rank %d: %d\n", rank, cells[1][0]);
    MPI_Finalize();
    return 0;
}
