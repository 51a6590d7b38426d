/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@32", "STORE@11"], "NPROCS": 2, "DESCRIPTION": "a helper thread of the target stores to the window while the main thread is in the closing fence", "COMPILE": "-pthread"} */
/* The helper is joined after the fence: its store is unordered with the put (MPI-4.1 12.7). */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static int *cells;

static void *overwrite(void *argument)
{
    cells[2] = 9;
    return argument;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) {
        printf("this MPI library does not provide MPI_THREAD_FUNNELED\n");
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 1;
    pthread_t helper;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    if (rank == 1)
        pthread_create(&helper, NULL, overwrite, NULL);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (rank == 1)
        pthread_join(helper, NULL);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
