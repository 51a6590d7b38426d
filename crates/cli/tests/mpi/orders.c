/* Rank 0 hears from rank 1, which has put, and from rank 2, which is late. The mode says how, and when it reads. */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

static int *x, word;

static void hear(const char *mode) {
    MPI_Status status;
    MPI_Request request;
    if (strcmp(mode, "irecv") == 0) {
        MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, &status);
    } else if (strcmp(mode, "sendrecv") == 0) {
        MPI_Sendrecv(&word, 0, MPI_INT, 0, 1, &word, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
    } else {
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv) {
    const char *mode = argv[1];
    int rank, one = 1, seen = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    *x = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* the put */
        MPI_Win_flush(0, win);
        MPI_Send(&one, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    } else if (rank == 2) {
        if (strcmp(mode, "answer") == 0)
            MPI_Recv(&word, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            usleep(300000);
        MPI_Send(&one, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    } else if (rank == 0) {
        hear(mode);
        if (strcmp(mode, "answer") == 0)
            MPI_Send(&one, 1, MPI_INT, 2, 8, MPI_COMM_WORLD);
        if (strcmp(mode, "both") == 0)
            hear(mode);
        seen = *x; /* the load */
        if (strcmp(mode, "both") != 0)
            hear(mode);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return seen > 1;
}
