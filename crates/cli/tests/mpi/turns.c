// Two threads whose order is that in which they come to a lock, or to an atomic variable if the argument says so.
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static atomic_int steps;
static int buffer, taken, by_atomic;

static void step(void) {
    if (by_atomic) {
        atomic_fetch_add(&steps, 1);
        return;
    }
    pthread_mutex_lock(&turn);
    taken++;
    pthread_mutex_unlock(&turn);
}

static void *worker(void *unused) {
    (void)unused;
    usleep(2000);
    step();
    buffer = 2; // the store
    return NULL;
}

int main(int argc, char **argv) {
    int provided, rank, *base;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    by_atomic = argc > 1 && strcmp(argv[1], "atomic") == 0;
    buffer = 1;
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, worker, NULL);
        MPI_Put(&buffer, 1, MPI_INT, 1, 0, 1, MPI_INT, win); // the put
        MPI_Win_flush(1, win);
        step();
        pthread_join(thread, NULL);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
