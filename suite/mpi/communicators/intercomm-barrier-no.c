/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a barrier on an inter-communicator orders the flushed put before the other group's store"} */
/* No process of one group leaves the barrier before all of the other have entered it (MPI-4.1
   6.3, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 4;
    MPI_Comm own, between;
    MPI_Win win;
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &own);
    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - rank, 3, &between);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    }
    MPI_Barrier(between);
    if (rank == 1)
        cells[1] = 9;
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Comm_free(&between);
    MPI_Comm_free(&own);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
