/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_start@22"], "NPROCS": 3, "TIME_LIMIT": 10, "DESCRIPTION": "three ranks pass on an edge, and expose their own only afterwards", "RULE": "deadlock"} */
/* Each rank completes its access before it posts: nobody posts for the first one (MPI-4.1 12.5.2, 12.7.3). */
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

    // Start or complete waits for the post, as the library likes.
    MPI_Win_start(target, 0, win); MPI_Put(&edge, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win); MPI_Win_complete(win);
    MPI_Win_post(origin, 0, win);
    MPI_Win_wait(win);

    printf("rank %d done\n", rank);
    MPI_Group_free(&origin);
    MPI_Group_free(&target);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
