// Calls that are new in MPI-4: large counts, persistent collectives, send-receive with a request. Only in MPICH here.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank, size, x = 1, y[4] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    int *base;
    MPI_Win win;
    MPI_Request r;
    MPI_Win_allocate_c(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    MPI_Put_c(&x, 1, MPI_INT, right, 2, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Isendrecv(&x, 1, MPI_INT, right, 3, y, 1, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Allreduce_init(&x, y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&r);
    MPI_Count counts[2] = {1, 1};
    MPI_Aint places[2] = {0, 1};
    MPI_Allgatherv_c(&x, 1, MPI_INT, y, counts, places, MPI_INT, MPI_COMM_WORLD);
    printf("%d\n", y[1]);
    MPI_Finalize();
    return 0;
}
