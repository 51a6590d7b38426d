/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "TIME_LIMIT": 10, "DESCRIPTION": "three ranks expose their edge before they pass one on"} */
/* A post does not wait, so that each start finds its own (MPI-4.1 12.5.2, 12.7.3). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *halo, edge = rank;
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Group world, target, origin;
    MPI_Win win;
    MPI_Win_allocate(sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &halo, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &right, &target);
    MPI_Group_incl(world, 1, &left, &origin);

    MPI_Win_post(origin, 0, win);
    // Start or complete waits for the post, as the library likes.
    MPI_Win_start(target, 0, win); MPI_Put(&edge, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win); MPI_Win_complete(win);
    MPI_Win_wait(win);

    printf("rank %d done\n", rank);
    MPI_Group_free(&origin);
    MPI_Group_free(&target);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
