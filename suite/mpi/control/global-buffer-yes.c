/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@27", "STORE@10"], "NPROCS": 2, "DESCRIPTION": "a global buffer is overwritten by another function while its put is pending", "RULE": "local-race"} */
/* The put reads its origin buffer until it is complete at the origin (MPI-4.1 12.3.1, 12.5.4). */
#include <mpi.h>
#include <stdio.h>

static int message[4] = {1, 2, 3, 4};

static void reset(void)
{
    message[2] = 0;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(message, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        reset();
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
