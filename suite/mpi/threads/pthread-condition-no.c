/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a condition variable wakes the reader of a get's buffer after the flush", "COMPILE": "-pthread"} */
/* Flush, signal, wait, load: a chain (MPI-4.1 12.3.3, 12.5.4). */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static int copy;
static bool ready;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *read_result(void *argument)
{
    pthread_mutex_lock(&guard);
    while (!ready)
        pthread_cond_wait(&changed, &guard);
    pthread_mutex_unlock(&guard);
    printf("got %d\n", copy);
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
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[0] = 3 + rank;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        pthread_t reader;
        pthread_create(&reader, NULL, read_result, NULL);
        MPI_Get(&copy, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        pthread_mutex_lock(&guard);
        ready = true;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&guard);
        pthread_join(reader, NULL);
    }
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
