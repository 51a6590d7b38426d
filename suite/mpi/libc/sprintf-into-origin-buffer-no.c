/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "sprintf writes the next message into the buffer of a put that is complete"} */
/* The flush completes the put locally (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *lines;
    char message[32] = "first message";
    MPI_Win win;
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &lines, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(message, 32, MPI_CHAR, 1, 0, 32, MPI_CHAR, win);
        MPI_Win_flush_local(1, win);
        sprintf(message, "message %d of %d", 2, rank + 2);
        MPI_Put(message, 32, MPI_CHAR, 1, 32, 32, MPI_CHAR, win);
    }
    MPI_Win_unlock_all(win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
