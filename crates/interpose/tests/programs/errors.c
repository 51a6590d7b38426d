// Calls that fail under MPI_ERRORS_RETURN give the program the same error codes as without the checker.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank, *base, x = 0, class, code;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    code = MPI_Win_unlock(rank, win);
    MPI_Error_class(code, &class);
    printf("unlock %d\n", class != MPI_SUCCESS);
    code = MPI_Send(&x, 1, MPI_INT, 0, -5, MPI_COMM_WORLD);
    MPI_Error_class(code, &class);
    printf("send %d\n", class == MPI_ERR_TAG);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
