/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a get that writes a variable of the origin, completed locally before a get that writes the same"} */
/* MPI_Win_flush_local completes the first operation at the origin before the second access (MPI-4.1
   12.5.4); cell (origin get, origin get) of Ait Kaci 2022, Table 3.1, in order. */
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
        MPI_Get(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Win_flush_local(1, win);
        MPI_Get(&value, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d\n", value, seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
