/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@22", "LOAD@27"], "NPROCS": 2, "DESCRIPTION": "a barrier on a communicator that holds only the caller orders nothing"} */
/* MPI_Comm_split with a colour for each rank makes communicators of one; the put is complete,
   but nothing orders it with the load (MPI-4.1 12.7, 7.4.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 4;
    MPI_Comm part;
    MPI_Win win;
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &part);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[0] = 0;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    }
    MPI_Barrier(part);
    if (rank == 1) {
        int seen = cells[0];
        printf("rank 1 sees %d\n", seen);
    }
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
