/* {"RACE_KIND": "remote", "RACE_PAIR": ["STORE@40", "STORE@40"], "NPROCS": 2, "DESCRIPTION": "a counter in a shared window is raised outside of its process-shared mutex"} */
/* The counter is raised after the mutex was unlocked (POSIX.1-2017 XBD 4.12; MPI-4.1 12.2.3). */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

struct counter {
    pthread_mutex_t lock;
    pthread_barrier_t full;
    long value;
};

int main(int argc, char **argv)
{
    int rank, size, unit, last;
    MPI_Aint bytes;
    MPI_Win win;
    struct counter *counter;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate_shared(rank == 0 ? sizeof *counter : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &counter);
    if (rank == 0) {
        pthread_mutexattr_t shared;
        pthread_barrierattr_t all;
        pthread_mutexattr_init(&shared);
        pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
        pthread_mutex_init(&counter->lock, &shared);
        pthread_barrierattr_init(&all);
        pthread_barrierattr_setpshared(&all, PTHREAD_PROCESS_SHARED);
        pthread_barrier_init(&counter->full, &all, (unsigned)size);
        counter->value = 0;
    }
    MPI_Win_fence(0, win);

    for (int round = 0; round < 3; round++) {
        pthread_mutex_lock(&counter->lock);
        pthread_mutex_unlock(&counter->lock);
        counter->value++;
    }

    last = pthread_barrier_wait(&counter->full) == PTHREAD_BARRIER_SERIAL_THREAD;
    if (last)
        printf("%ld\n", counter->value);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
