/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@23", "STORE@26"], "NPROCS": 2, "DESCRIPTION": "a plain put's buffer is overwritten after MPI_Wait on an rput", "RULE": "local-race"} */
/* MPI_Wait completes the rput only; the put before it is still pending (MPI-4.1 12.3.5). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    int first = 1, second = 2;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&first, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Rput(&second, 1, MPI_INT, 1, 1, 1, MPI_INT, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        first = 0;
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d\n", first, second);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
