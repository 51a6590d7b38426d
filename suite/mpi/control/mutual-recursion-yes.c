/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@15", "MPI_Put@15"], "NPROCS": 2, "DESCRIPTION": "two functions that call each other put alternately to rank 0; both ranks go to the same cell"} */
/* Mutual recursion whose depth is the number of processes (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static MPI_Win win;
static int rank, size, value = 1;

static void odd(int left);

static void even(int left)
{
    if (left == 0)
        return;
    MPI_Put(&value, 1, MPI_INT, 0, left % size, 1, MPI_INT, win);
    odd(left - 1);
}

static void odd(int left)
{
    if (left > 0)
        even(left - 1);
}

int main(int argc, char **argv)
{
    int *cells;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(size * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    for (int i = 0; i < size; i++)
        cells[i] = 0;
    MPI_Win_fence(0, win);
    even(4);
    MPI_Win_fence(0, win);
    printf("%d\n", cells[0]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
