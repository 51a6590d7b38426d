/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "double buffering completes the put before its buffer is used again"} */
/* MPI_Wait completes the put of the buffer before it is used again (MPI-4.1 12.3.5). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request requests[6];
    int buffers[2] = {0};
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 0; i < 6; i++) {
            if (i >= 2)
                MPI_Wait(&requests[i - 2], MPI_STATUS_IGNORE);
            buffers[i % 2] = 10 * i;
            MPI_Rput(&buffers[i % 2], 1, MPI_INT, 1, i, 1, MPI_INT, win, &requests[i]);
        }
        MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
    } else {
        printf("idle\n");
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
