/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the put is complete at its origin before its buffer is changed"} */
/* The put reads its origin buffer until it is complete at the origin (MPI-4.1 12.3.1, 12.5.4). */
#include <mpi.h>
#include <stdio.h>

static int send_twice(int *word, int target, MPI_Win win)
{
    if (MPI_Put(word, 1, MPI_INT, target, 0, 1, MPI_INT, win) != MPI_SUCCESS)
        goto failed;
    MPI_Win_flush_local(target, win);
    *word += 1;
    if (MPI_Put(word, 1, MPI_INT, target, 1, 1, MPI_INT, win) != MPI_SUCCESS)
        goto failed;
    return 0;
failed:
    fprintf(stderr, "a put failed\n");
    return -1;
}

int main(int argc, char **argv)
{
    int rank, status = 0, word = 4, *cells;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        status = send_twice(&word, 1, win);
    MPI_Win_unlock_all(win);
    printf("%d\n", status);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
