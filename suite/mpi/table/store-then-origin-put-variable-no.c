/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a store to a variable of the origin, then a put that reads the same: program order"} */
/* The access is over before the operation is issued, so program order is enough (MPI-4.1 12.7; Hoefler
   et al. 2014, rule 19); cell (store, origin put) of Ait Kaci 2022, Table 3.1, in order. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 3, seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        value = 42;
        MPI_Put(&value, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d\n", value, seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
