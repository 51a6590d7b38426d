/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@21", "LOAD@24"], "NPROCS": 2, "DESCRIPTION": "a search loop that is left early has read the cell that a put writes", "RULE": "remote-race"} */
/* Nothing orders the two accesses, or the first is not complete (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7, seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 5, 1, MPI_INT, win);
    } else {
        for (int i = 0; i < 16; i++) {
            seen += x[i];
            if (i == 8)
                break;
        }
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
