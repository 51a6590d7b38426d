/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "one origin, MPI_SUM and then MPI_MAX of one cell in one epoch"} */
/* Accumulates of one origin to the same elements take effect in the order of their calls, and so
   are not concurrent (MPI-4.1 12.7.2, 12.2.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", "rar,raw,war,waw");
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), info, MPI_COMM_WORLD, &x, &win);
    MPI_Info_free(&info);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_MAX, win);
    }
    MPI_Win_fence(0, win);

    printf("%d\n", x[0]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
