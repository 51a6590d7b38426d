/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@21", "STORE@26"], "NPROCS": 2, "DESCRIPTION": "a row is reached through a table of row pointers while a put writes it", "RULE": "remote-race"} */
/* Nothing orders the two accesses, or the first is not complete (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int row[4] = {1, 2, 3, 4};
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(row, 4, MPI_INT, 1, 4, 4, MPI_INT, win);
    } else {
        int *rows[4];
        for (int i = 0; i < 4; i++)
            rows[i] = &x[4 * i];
        rows[1][3] = 5;
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
