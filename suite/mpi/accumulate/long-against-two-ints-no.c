/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a fetch_and_op of eight bytes and an accumulate of two ints after them"} */
/* The ints lie after the eight-byte integer (MPI-4.1 12.3.4, 12.7.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long long step = 1, before = 0;
    int pair[2] = {1, 2};
    long long *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(long long), sizeof(long long), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Fetch_and_op(&step, &before, MPI_LONG_LONG, 1, 0, MPI_SUM, win);
    }
    if (rank == 1) {
        MPI_Accumulate(pair, 2, MPI_INT, 1, 1, 2, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%lld %lld\n", x[0], before);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
