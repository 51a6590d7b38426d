/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Put@12", "MPI_Init_thread@19"], "NPROCS": 2, "DESCRIPTION": "a thread puts that did not initialise MPI, under MPI_THREAD_FUNNELED", "COMPILE": "-pthread", "RULE": "thread-level"} */
/* Only the thread that initialised MPI may call it (MPI-4.1 11.6.2). */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static MPI_Win win;
static int target, value = 7;

static void *work(void *cell)
{
    MPI_Put(&value, 1, MPI_INT, target, *(int *)cell, 1, MPI_INT, win);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, provided, cells[] = {0, 1}, *base;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) {
        printf("this MPI library does not provide MPI_THREAD_FUNNELED\n");
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    target = 1 - rank;
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);

    pthread_t thread;
    pthread_create(&thread, NULL, work, &cells[1]);
    pthread_join(thread, NULL);

    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
