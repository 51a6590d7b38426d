/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@21", "LOAD@23"], "NPROCS": 2, "DESCRIPTION": "threads get into buffers that they allocate and free themselves, and add up before the flush", "COMPILE": "-pthread"} */
/* The allocator hands on what another thread has freed, and orders the two (C11 7.22.3). */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 40000, THREADS = 3, ROUNDS = 5 };

static MPI_Win win;
static int neighbour;
static double sums[THREADS];

static void *add(void *argument)
{
    long me = (long)argument;
    for (int round = 0; round < ROUNDS; round++) {
        double *got = malloc(COUNT * sizeof(double));
        for (int i = 0; i < COUNT; i++)
            got[i] = -1;
        MPI_Get(got, COUNT, MPI_DOUBLE, neighbour, 0, COUNT, MPI_DOUBLE, win);
        for (int i = 0; i < COUNT; i++)
            sums[me] += got[i];
        MPI_Win_flush(neighbour, win);
        free(got);
    }
    return NULL;
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
    double *cells;
    MPI_Win_allocate(COUNT * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    for (int i = 0; i < COUNT; i++)
        cells[i] = rank;
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);

    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, add, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);

    MPI_Win_unlock_all(win);
    printf("rank %d: %g\n", rank, sums[0]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
