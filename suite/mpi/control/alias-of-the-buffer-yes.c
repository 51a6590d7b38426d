/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@23", "STORE@24"], "NPROCS": 2, "DESCRIPTION": "the buffer of a put is overwritten through another pointer", "RULE": "local-race"} */
/* The put reads its origin buffer until it is complete at the origin (MPI-4.1 12.3.1, 12.5.4), under
   whatever name. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int row[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int *alias = &row[4];
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(row, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        alias[-1] = 0;
    } else {
        printf("idle\n");
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
