/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "get from a global array, the owner stores to it after MPI_Win_wait"} */
/* MPI_Win_wait returns after the origin has completed its access epoch, so the get is over
   (MPI-4.1 12.5.2). */
#include <mpi.h>
#include <stdio.h>

static long table[16] = {1, 2, 3, 4};

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long copy[4] = {0};
    int peer = 1 - rank;
    MPI_Group world, peer_group;
    MPI_Win win;
    MPI_Win_create(table, sizeof table, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &peer_group);

    if (rank == 0) {
        MPI_Win_start(peer_group, 0, win);
        MPI_Get(copy, 4, MPI_LONG, 1, 0, 4, MPI_LONG, win);
        MPI_Win_complete(win);
        printf("copied %ld\n", copy[2]);
    } else {
        MPI_Win_post(peer_group, 0, win);
        MPI_Win_wait(win);
        table[2] = 33;
    }

    MPI_Group_free(&peer_group);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
