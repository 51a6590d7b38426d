/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the byte after the buffer of a put is overwritten through a union"} */
/* Byte 4 lies past the integer that the put reads (MPI-4.1 12.3.1). */
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
        word.bytes[4] = 1;
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
