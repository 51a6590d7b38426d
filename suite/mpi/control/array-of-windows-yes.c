/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@30", "LOAD@37"], "NPROCS": 2, "DESCRIPTION": "of four windows in an array all but one are flushed", "RULE": "remote-race"} */
/* The loop over the windows leaves out the last one (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <stdio.h>

enum { WINDOWS = 4 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win wins[WINDOWS];
    int *cells[WINDOWS];
    for (int i = 0; i < WINDOWS; i++) {
        MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells[i], &wins[i]);
        *cells[i] = 0;
        MPI_Win_lock_all(0, wins[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 0; i < WINDOWS; i++)
            MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, wins[i]);
        for (int i = 0; i < WINDOWS - 1; i++)
            MPI_Win_flush(1, wins[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        for (int i = 0; i < WINDOWS; i++)
            value += *cells[i];
    printf("%d %d\n", value, x[0]);
    for (int i = 0; i < WINDOWS; i++) {
        MPI_Win_unlock_all(wins[i]);
        MPI_Win_free(&wins[i]);
    }

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
