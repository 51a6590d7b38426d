/* {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "the clean twin: a recursive descent puts halves of a range to the next rank"} */
/* Recursion with RMA: each leaf puts its part; the target reads before the fence (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static MPI_Win win;
static int source[8];

static void spread(int first, int count, int target)
{
    if (count == 1) {
        MPI_Put(&source[first], 1, MPI_INT, target, first, 1, MPI_INT, win);
        return;
    }
    spread(first, count / 2, target);
    spread(first + count / 2, count - count / 2, target);
}

int main(int argc, char **argv)
{
    int rank, size, *cells, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 8; i++)
        source[i] = rank;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_fence(0, win);
    spread(0, 8, (rank + 1) % size);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 8; i++)
        sum += cells[i];
    printf("%d\n", sum);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
