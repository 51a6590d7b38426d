// Ends as its argument says: `abort`, `kill`, or does something special first: `fork`, `many` (events), `threads`.
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static MPI_Win win;

static void *sync_often(void *unused) {
    for (int i = 0; i < 1000; i++) MPI_Win_sync(win);
    return unused;
}

int main(int argc, char **argv) {
    int rank, provided, *base;
    const char *how = argv[1];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    if (!strcmp(how, "many")) {
        for (int i = 0; i < 30000; i++) MPI_Win_sync(win);
    } else if (!strcmp(how, "threads") && provided == MPI_THREAD_MULTIPLE) {
        pthread_t threads[4];
        for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, sync_often, NULL);
        for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    } else if (!strcmp(how, "fork")) {
        pid_t child = fork();
        if (child == 0) {
            base[0] = 1;
            MPI_Win_sync(win);
            _exit(3);
        }
        int status;
        waitpid(child, &status, 0);
        printf("child %d\n", WEXITSTATUS(status));
    } else if (!strcmp(how, "abort")) {
        if (rank == 0) MPI_Abort(MPI_COMM_WORLD, 9);
        sleep(20);
    } else if (!strcmp(how, "kill")) {
        if (rank == 0) raise(SIGKILL);
        sleep(20);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
