/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@22", "LOAD@27"], "NPROCS": 2, "DESCRIPTION": "a message between two groups is received after the load that it should order"} */
/* The load comes before the receive of the inter-communicator message (MPI-4.1 7.6, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 4, note = 0;
    MPI_Comm own, between;
    MPI_Win win;
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &own);
    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - rank, 3, &between);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Send(&note, 1, MPI_INT, 0, 0, between);
    } else {
        int seen;
        seen = cells[1];
        MPI_Recv(&note, 1, MPI_INT, 0, 0, between, MPI_STATUS_IGNORE);
        printf("rank 1 sees %d\n", seen);
    }
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Comm_free(&between);
    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
