/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the data of two rgets is summed after MPI_Waitsome on both"} */
/* The loop over MPI_Waitsome ends when both requests are complete (MPI-4.1 12.3.5, 3.7.5). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request requests[2];
    int row[2] = {0}, sum = 0, count = 0, which[2];
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Rget(&row[i], 1, MPI_INT, 1, i, 1, MPI_INT, win, &requests[i]);
        for (int left = 2; left > 0; left -= count)
            MPI_Waitsome(2, requests, &count, which, MPI_STATUSES_IGNORE);
        sum = row[0] + row[1];
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", sum);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
