/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_fence@16", "MPI_Put@18"], "NPROCS": 2, "DESCRIPTION": "a put into a window whose owner said MPI_MODE_NOPUT at the fence", "RULE": "violated-assertion"} */
/* NOPUT says that the local window will not be updated by put or accumulate until the next
   synchronisation (MPI-4.1 12.5.5). */
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

    MPI_Win_fence(MPI_MODE_NOPUT, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
    MPI_Win_fence(0, win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
