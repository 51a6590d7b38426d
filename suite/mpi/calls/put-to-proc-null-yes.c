/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@22", "STORE@23"], "NPROCS": 2, "DESCRIPTION": "the origin buffer of a put to rank 1 is overwritten while it is pending", "RULE": "local-race"} */
/* The put reads its origin buffer until it is complete (MPI-4.1 12.3.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        value = 0;
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", value);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
