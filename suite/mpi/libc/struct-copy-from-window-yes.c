/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@26", "LOAD@28"], "NPROCS": 2, "DESCRIPTION": "the owner copies a record out of its window by assignment while a put changes a field"} */
/* The assignment loads all bytes of the record (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

struct particle {
    double place[3];
    double speed[3];
    int kind;
};

static struct particle particles[4];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct particle own = {{0.0}, {0.0}, 0};
    double speed = 3.5;
    MPI_Win win;
    MPI_Win_create(particles, sizeof particles, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&speed, 1, MPI_DOUBLE, 1, sizeof(struct particle) + 4 * sizeof(double), 1, MPI_DOUBLE, win);
    if (rank == 1)
        own = particles[1];
    MPI_Win_fence(0, win);

    printf("rank %d: %g\n", rank, own.speed[1]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
