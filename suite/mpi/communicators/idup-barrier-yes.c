/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@22", "LOAD@25"], "NPROCS": 2, "DESCRIPTION": "a barrier on a duplicate that MPI_Comm_idup has made, after a local flush"} */
/* The put need not be complete at its target (MPI-4.1 7.4.2, 12.5.4, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, *x, value = 1;
    MPI_Comm comm;
    MPI_Request request;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &x, &win);
    *x = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(comm);

    MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
    MPI_Win_flush_local((rank + 1) % size, win);
    MPI_Barrier(comm);
    printf("%d\n", *x);

    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
