/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@21", "MPI_Unpack@23"], "NPROCS": 2, "DESCRIPTION": "window memory is unpacked in the epoch of the put"} */
/* MPI_Unpack loads what the put may be writing (MPI-4.1 5.2, 12.7). */
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
    if (rank == 0)
        MPI_Put(buffer, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
    if (rank == 1)
        MPI_Unpack(x, 4 * sizeof(int), &position, numbers, 4, MPI_INT, MPI_COMM_WORLD);
    MPI_Win_fence(0, win);

    printf("%d %d %d\n", numbers[0], buffer[0], x[0]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
