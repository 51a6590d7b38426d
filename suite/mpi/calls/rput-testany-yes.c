/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Rput@25", "STORE@29"], "NPROCS": 2, "DESCRIPTION": "the origin buffers of two rputs are overwritten after MPI_Testany completed one", "RULE": "local-race"} */
/* MPI_Testany completes one of the two requests; the loop of stores overwrites the other buffer too
   (MPI-4.1 3.7.5, 12.3.5). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request requests[2];
    int row[2] = {1, 2}, done = 0, which = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Rput(&row[i], 1, MPI_INT, 1, i, 1, MPI_INT, win, &requests[i]);
        for (int left = 1; left > 0; left -= done)
            MPI_Testany(2, requests, &which, &done, MPI_STATUS_IGNORE);
        for (int i = 0; i < 2; i++)
            row[i] = 0;
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", row[0]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
