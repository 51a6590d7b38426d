/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@25", "LOAD@27"], "NPROCS": 2, "DESCRIPTION": "the owner reads the index of a value and index pair that a put writes", "RULE": "remote-race"} */
/* MPI_DOUBLE_INT has a double at 0 and an int at 8, that is x[2] (MPI-4.1 6.9.4). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct {
        double value;
        int index;
    } pair = {1.5, 3};
    int seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = rank;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&pair, 1, MPI_DOUBLE_INT, 1, 0, 1, MPI_DOUBLE_INT, win);
    } else {
        seen = x[2];
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
