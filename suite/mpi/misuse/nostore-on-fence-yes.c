/* {"RACE_KIND": "misuse", "RACE_PAIR": ["STORE@17", "MPI_Win_fence@18"], "NPROCS": 2, "DESCRIPTION": "a fence with MPI_MODE_NOSTORE after the process stored to its window", "RULE": "violated-assertion"} */
/* NOSTORE says that the local window was not updated by stores since the last synchronisation
   (MPI-4.1 12.5.5). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 1;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_fence(0, win);
    cells[0] = 10 + rank;
    MPI_Win_fence(MPI_MODE_NOSTORE, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
    MPI_Win_fence(0, win);

    printf("rank %d: %d\n", rank, cells[1]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
