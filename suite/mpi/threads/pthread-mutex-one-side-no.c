/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "put with flush, and store, are protected by the same mutex", "COMPILE": "-pthread"} */
/* Either the store comes first, or the put with its flush (MPI-4.1 12.3). */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static int value = 1;
static MPI_Win win;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *overwrite(void *argument)
{
    pthread_mutex_lock(&guard);
    value = 2;
    pthread_mutex_unlock(&guard);
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
    int *cells;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        pthread_t helper;
        pthread_create(&helper, NULL, overwrite, NULL);
        pthread_mutex_lock(&guard);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        pthread_mutex_unlock(&guard);
        pthread_join(helper, NULL);
    }
    MPI_Win_unlock_all(win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
