/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a function template puts, its caller stores to the buffer after the fence"} */
/* The fence completes the put (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <cstdio>

template <typename T> MPI_Datatype type_of();
template <> MPI_Datatype type_of<int>() { return MPI_INT; }
template <> MPI_Datatype type_of<double>() { return MPI_DOUBLE; }

template <typename T> void put_one(const T &value, int target, MPI_Aint where, MPI_Win win)
{
    MPI_Put(&value, 1, type_of<T>(), target, where, 1, type_of<T>(), win);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *cells, value = 1.0;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_fence(0, win);
    if (rank == 0)
        put_one(value, 1, 2, win);
    MPI_Win_fence(0, win);
    value = 3.0;
    MPI_Win_fence(0, win);

    std::printf("rank %d: %g\n", rank, value);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
