/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@9", "LOAD@10"], "NPROCS": 2, "DESCRIPTION": "a variable-length array is read while a get writes it", "RULE": "local-race"} */
/* The get may write its origin buffer until it is complete at the origin (MPI-4.1 12.3.2, 12.5.4). */
#include <mpi.h>
#include <stdio.h>

static int last_of(int count, MPI_Win win)
{
    int row[count];
    MPI_Get(row, count, MPI_INT, 1, 0, count, MPI_INT, win);
    int last = row[count - 1];
    MPI_Win_flush_local(1, win);
    return last;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        value = last_of(9, win);
    } else {
        printf("idle\n");
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", value);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
