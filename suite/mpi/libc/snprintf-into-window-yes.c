/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Get@21", "snprintf@19"], "NPROCS": 2, "DESCRIPTION": "the owner writes its state into the window by snprintf while another process gets it"} */
/* snprintf stores to the window, unordered with the get (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *state, copy[32] = "";
    MPI_Win win;
    MPI_Win_allocate(32, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &state, &win);
    state[0] = '\0';
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 1)
        snprintf(state, 32, "step %d of rank %d", 12, rank);
    if (rank == 0) {
        MPI_Get(copy, 32, MPI_CHAR, 1, 0, 32, MPI_CHAR, win);
        MPI_Win_flush(1, win);
        printf("rank 1 says: %.31s\n", copy);
    }
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
