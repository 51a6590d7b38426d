/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@11", "STORE@28"], "NPROCS": 2, "DESCRIPTION": "an error check returns before the flush; the caller goes on and fills the buffer again"} */
/* The way of the error is taken only if a call fails or a limit is met; here a limit (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static MPI_Win win;
static int buffer[4];

static int send_part(int part, int target)
{
    if (MPI_Put(buffer, 4, MPI_INT, target, 4 * part, 4, MPI_INT, win) != MPI_SUCCESS)
        return -1;
    if (part >= 1)
        return 1;
    if (MPI_Win_flush_local(target, win) != MPI_SUCCESS)
        return -1;
    return 0;
}

int main(int argc, char **argv)
{
    int rank, *cells, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_lock_all(0, win);
    for (int part = 0; part < 4 && rank == 0 && status >= 0; part++) {
        buffer[0] = part;
        status = send_part(part, 1);
    }
    MPI_Win_unlock_all(win);
    printf("%d\n", status);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
