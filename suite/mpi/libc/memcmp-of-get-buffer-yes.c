/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Rget@24", "memcmp@25"], "NPROCS": 2, "DESCRIPTION": "memcmp reads the buffer of a request-based get before its wait"} */
/* The request is not complete (MPI-4.1 12.3.4). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH = 40 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, answer;
    static int copy[LENGTH], zeros[LENGTH];
    MPI_Request request;
    MPI_Win win;
    MPI_Win_allocate(LENGTH * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    for (int i = 0; i < LENGTH; i++)
        cells[i] = rank;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    MPI_Rget(copy, LENGTH, MPI_INT, 1 - rank, 0, LENGTH, MPI_INT, win, &request);
    answer = memcmp(copy, zeros, sizeof copy);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(win);

    printf("rank %d: %s\n", rank, answer == 0 ? "zeros" : "others");
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
