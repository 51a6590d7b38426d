// An error handler that throws: the exception passes through the interposed call, which is the same with and without.
#include <cstdio>
#include <mpi.h>
#include <stdexcept>

static void handler(MPI_Comm *, int *, ...) {
    throw std::runtime_error("error in MPI");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Errhandler errhandler;
    MPI_Comm_create_errhandler(handler, &errhandler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
    int x = 0;
    try {
        MPI_Send(&x, 1, MPI_INT, 0, -5, MPI_COMM_WORLD);
    } catch (const std::exception &error) {
        std::printf("caught %s\n", error.what());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
