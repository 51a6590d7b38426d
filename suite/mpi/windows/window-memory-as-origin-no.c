/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "memory of one window is the origin buffer of a put through another after the window's epoch"} */
/* The fence on `feed` completes rank 1's put before rank 0 sends the element on (MPI-4.1
   12.5.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int inbox[4] = {0}, outbox[4] = {0};
    int value = 7;
    MPI_Win feed, mail;
    MPI_Win_create(inbox, sizeof inbox, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &feed);
    MPI_Win_create(outbox, sizeof outbox, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mail);

    MPI_Win_fence(0, mail);
    MPI_Win_fence(0, feed);
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, feed);
    MPI_Win_fence(0, feed);
    if (rank == 0)
        MPI_Put(inbox, 1, MPI_INT, 1, 1, 1, MPI_INT, mail);
    MPI_Win_fence(0, feed);
    MPI_Win_fence(0, mail);

    printf("rank %d: %d\n", rank, outbox[1]);
    MPI_Win_free(&mail);
    MPI_Win_free(&feed);
    MPI_Finalize();
    return 0;
}
