/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "two threads of one process put into different elements of the target", "COMPILE": "-pthread"} */
/* The puts do not overlap (MPI-4.1 12.7). */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static MPI_Win win;

static void *put_own(void *argument)
{
    int *value = argument;
    MPI_Put(value, 1, MPI_INT, 1, *value - 1, 1, MPI_INT, win);
    MPI_Win_flush(1, win);
    return NULL;
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
    int *cells, values[2] = {1, 2};
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        pthread_t helpers[2];
        for (int i = 0; i < 2; i++)
            pthread_create(&helpers[i], NULL, put_own, &values[i]);
        for (int i = 0; i < 2; i++)
            pthread_join(helpers[i], NULL);
    }
    MPI_Win_unlock_all(win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
