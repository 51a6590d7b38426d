/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "an element of a std::vector is assigned after the flush of the put that reads it"} */
/* The flush completes the put locally (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <cstdio>
#include <vector>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<double> values(20, 1.5);
    double *cells;
    MPI_Win win;
    MPI_Win_allocate(20 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(values.data(), 20, MPI_DOUBLE, 1, 0, 20, MPI_DOUBLE, win);
        MPI_Win_flush_local(1, win);
        double *last = &values.back();
        *last = 2.5;
    }
    MPI_Win_unlock_all(win);

    std::printf("rank %d: %g\n", rank, values.back());
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
