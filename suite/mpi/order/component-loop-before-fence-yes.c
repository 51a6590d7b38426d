/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@23", "LOAD@29"], "NPROCS": 2, "DESCRIPTION": "masses are loaded once a component before the fence that ends the put"} */
/* The inner loop loads each mass three times, and waits for none: it does not poll (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double force[3] = {0, 0, 0}, distance[3] = {1, 2, 3};
    double *mass, given[4] = {1, 2, 3, 4};
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mass, &win);
    for (int i = 0; i < 4; i++)
        mass[i] = 0;

    MPI_Win_fence(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++) {
        if (rank == 0) {
            if (i == 0)
                MPI_Put(given, 4, MPI_DOUBLE, 1, 0, 4, MPI_DOUBLE, win);
            continue;
        }
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 3; k++)
                force[k] +=
                    mass[j] * distance[k];
    }
    MPI_Win_fence(0, win);

    printf("%g\n", force[0]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
