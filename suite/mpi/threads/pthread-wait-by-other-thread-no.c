/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a helper waits for the request of a get, the main thread reads the result after it has joined the helper", "COMPILE": "-pthread"} */
/* MPI_Wait in the helper, pthread_join, load: a chain (MPI-4.1 12.3.4, 11.6.2). */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static MPI_Request request;

static void *wait_for_it(void *argument)
{
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return argument;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        printf("this MPI library does not provide MPI_THREAD_MULTIPLE\n");
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, copy = 0, seen = 0;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[0] = 4 + rank;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        pthread_t helper;
        MPI_Rget(&copy, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);
        pthread_create(&helper, NULL, wait_for_it, NULL);
        pthread_join(helper, NULL);
        seen = copy;
    }
    MPI_Win_unlock_all(win);

    printf("rank %d: %d\n", rank, seen);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
