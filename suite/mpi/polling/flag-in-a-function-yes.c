/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@32", "LOAD@12"], "NPROCS": 2, "DESCRIPTION": "a flag is set by a put, and a function waits for it in a loop of loads", "RULE": "polling"} */
/* The loads in the function meet the put without order (MPI-4.1 12.7; Hoefler et al. 2014, Fig. 8a). */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

/* Returns when the flag, at displacement 0 of rank 1, is set. */
static void wait_for(int *flag, MPI_Win win)
{
    int there;
    (void)win;
    while (!*flag)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE); // for progress
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        usleep(20000); // meanwhile the owner polls
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    } else {
        wait_for(&x[0], win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
