/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Accumulate@21", "STORE@26"], "NPROCS": 2, "DESCRIPTION": "an accumulate is complete at its origin only, and the owner stores to the flag without having seen it"} */
/* Local completion says nothing of the target, and the message only that the accumulate was called (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, flag = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush_local(1, win);
        MPI_Send(&one, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&flag, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        x[0] = 2;
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0] > 0);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
