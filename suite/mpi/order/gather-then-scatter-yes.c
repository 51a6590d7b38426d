/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@22", "LOAD@28"], "NPROCS": 3, "DESCRIPTION": "the root scatters first and gathers then", "RULE": "remote-race"} */
/* The scatter brings nothing of rank 0 to rank 2, since rank 0's contribution comes later (MPI-4.1
   6.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7, seen = 0, note = 0, notes[3] = {0};
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_flush(2, win);
    }
    MPI_Scatter(notes, 1, MPI_INT, &note, 1, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Gather(&value, 1, MPI_INT, notes, 1, MPI_INT, 1, MPI_COMM_WORLD);
    if (rank == 2)
        seen = x[0];
    MPI_Win_unlock_all(win);

    printf("%d\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
