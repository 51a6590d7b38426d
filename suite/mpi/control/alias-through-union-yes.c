/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@27", "STORE@28"], "NPROCS": 2, "DESCRIPTION": "one byte of the buffer of a put is overwritten through a union", "RULE": "local-race"} */
/* The put reads its origin buffer until it is complete at the origin (MPI-4.1 12.3.1, 12.5.4); a byte
   of it is enough. */
#include <mpi.h>
#include <stdio.h>

union word {
    int number;
    char bytes[8];
};

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    union word word = {.bytes = {0}};
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&word.number, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        word.bytes[3] = 1;
    } else {
        printf("%d\n", word.bytes[4]);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
