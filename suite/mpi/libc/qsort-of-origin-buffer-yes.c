/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@24", "qsort@25"], "NPROCS": 2, "DESCRIPTION": "qsort sorts the buffer of a put that is not complete"} */
/* qsort moves the elements while the put may read them (MPI-4.1 12.3.2). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int by_value(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, keys[8] = {5, 3, 8, 1, 7, 2, 6, 4};
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(keys, 8, MPI_INT, 1, 0, 8, MPI_INT, win);
        qsort(keys, 8, sizeof(int), by_value);
    }
    MPI_Win_unlock_all(win);

    printf("rank %d: %d\n", rank, keys[0]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
