/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@23", "LOAD@24"], "NPROCS": 2, "DESCRIPTION": "a get that writes the origin's own window memory, then a load of the same, before local completion", "RULE": "local-race"} */
/* The get may write its origin buffer at any time until it is complete (MPI-4.1 12.3, 12.5.4); cell
   (origin get, load) of Ait Kaci 2022, Table 3.1. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Get(&x[0], 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        seen = x[0];
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d\n", x[0], seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
