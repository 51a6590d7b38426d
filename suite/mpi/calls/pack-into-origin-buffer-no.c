/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "numbers are packed into a buffer, which is then put"} */
/* MPI_Pack has stored into the buffer when it returns (MPI-4.1 5.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int numbers[4] = {1, 2, 3, 4}, buffer[4] = {0, 0, 0, 0};
    int position = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 4; i++)
        x[i] = 0;

    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Pack(numbers, 4, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
        MPI_Put(buffer, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
    }
    MPI_Win_fence(0, win);

    printf("%d %d %d\n", numbers[0], buffer[0], x[0]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
