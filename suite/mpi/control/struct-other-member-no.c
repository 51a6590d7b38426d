/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a member beside the one that a get writes is read"} */
/* The get writes energy, the load reads speed (MPI-4.1 12.3.2). */
#include <mpi.h>
#include <stdio.h>

struct cell {
    double mass, speed, energy;
};

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct cell place = {1.0, 2.0, 3.0}, *cell = &place;
    double seen = 0.0;
    double *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Get(&cell->energy, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, win);
        seen = cell->speed;
    } else {
        printf("idle\n");
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%f\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
