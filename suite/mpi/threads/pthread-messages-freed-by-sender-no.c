/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a thread that sends what another has allocated frees it after the flush: the memory may serve for the next message", "COMPILE": "-pthread"} */
/* What the sender has freed, the producer may get from the allocator for its next message (C11 7.22.3). */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 500, MESSAGES = 20 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int *waiting;
static MPI_Win win;
static int neighbour;

static void *send(void *argument)
{
    for (int i = 0; i < MESSAGES; i++) {
        pthread_mutex_lock(&mutex);
        while (waiting == NULL)
            pthread_cond_wait(&changed, &mutex);
        int *message = waiting;
        waiting = NULL;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
        MPI_Put(message, COUNT, MPI_INT, neighbour, 0, COUNT, MPI_INT, win);
        MPI_Win_flush(neighbour, win);
        message[0] = 0;
        free(message);
    }
    return argument;
}

int main(int argc, char **argv)
{
    int rank, size, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        printf("this MPI library does not provide MPI_THREAD_MULTIPLE\n");
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    neighbour = (rank + 1) % size;
    int *cells;
    MPI_Win_allocate(COUNT * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_lock_all(0, win);

    pthread_t sender;
    pthread_create(&sender, NULL, send, NULL);
    for (int i = 0; i < MESSAGES; i++) {
        int *message = malloc(COUNT * sizeof(int));
        for (int k = 0; k < COUNT; k++)
            message[k] = i + k;
        pthread_mutex_lock(&mutex);
        while (waiting != NULL)
            pthread_cond_wait(&changed, &mutex);
        waiting = message;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(sender, NULL);

    MPI_Win_unlock_all(win);
    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
