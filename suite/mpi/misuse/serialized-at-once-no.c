/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "two threads put one after the other, by a mutex, under MPI_THREAD_SERIALIZED", "COMPILE": "-pthread"} */
/* Any thread may call MPI, and never two at once (MPI-4.1 11.6.2). */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static MPI_Win win;
static int target, value = 7;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *cell)
{
    pthread_mutex_lock(&turn);
    MPI_Put(&value, 1, MPI_INT, target, *(int *)cell, 1, MPI_INT, win);
    pthread_mutex_unlock(&turn);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, provided, cells[] = {0, 1}, *base;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) {
        printf("this MPI library does not provide MPI_THREAD_SERIALIZED\n");
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    target = 1 - rank;
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);

    pthread_t thread;
    pthread_create(&thread, NULL, work, &cells[1]);
    work(&cells[0]);
    pthread_join(thread, NULL);

    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
