/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@18", "MPI_Recv@22"], "NPROCS": 2, "DESCRIPTION": "a message is received into window memory that a put writes"} */
/* MPI_Recv stores to cells[0] on rank 1 between the same fences as rank 0's put (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int cells[4] = {0};
    int value = 3, message = 4;
    MPI_Win win;
    MPI_Win_create(cells, sizeof cells, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Send(&message, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    if (rank == 1)
        MPI_Recv(cells, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win);

    printf("rank %d: %d\n", rank, cells[0]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
