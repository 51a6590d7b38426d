/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@19", "STORE@25"], "NPROCS": 2, "DESCRIPTION": "the barrier on a duplicated communicator comes before the flush"} */
/* The barrier orders the processes while the put is still open (MPI-4.1 12.5.4, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 4;
    MPI_Comm copy;
    MPI_Win win;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
    }
    MPI_Barrier(copy);
    if (rank == 0)
        MPI_Win_flush(1, win);
    if (rank == 1)
        cells[1] = 9;
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Comm_free(&copy);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
