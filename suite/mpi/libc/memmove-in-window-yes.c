/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@23", "memmove@27"], "NPROCS": 2, "DESCRIPTION": "the owner shifts its window by memmove while a put is under way"} */
/* memmove loads and stores within the window; the put hits its middle (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH = 64 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = -1, note = 0;
    MPI_Win win;
    MPI_Win_allocate(LENGTH * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    for (int i = 0; i < LENGTH; i++)
        cells[i] = i;
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 30, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
        MPI_Send(&note, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        memmove(cells, cells + 1, (LENGTH - 1) * sizeof(int));
        MPI_Recv(&note, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    printf("rank %d: %d\n", rank, cells[29]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
