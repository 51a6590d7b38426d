/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a put of nothing"} */
/* A count of 0 is allowed (MPI-4.1 12.3). */
#include <mpi.h>
#include <stdio.h>

static int remaining(int done)
{
    return 4 - done;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int values[4] = {1, 2, 3, 4}, *x;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);

    MPI_Win_fence(0, win);
    if (rank == 0) {
        int count = remaining(4);
        MPI_Put(values, count, MPI_INT, 1, 0, count, MPI_INT, win);
    }
    MPI_Win_fence(0, win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
