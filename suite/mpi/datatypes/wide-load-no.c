/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the owner reads eight bytes in front of the one that a put writes"} */
/* The load of x[0] covers bytes 0 to 7; the put writes byte 8 (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char mark = 1;
    long seen = 0;
    long *x;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(long), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 4; i++)
        x[i] = rank;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&mark, 1, MPI_CHAR, 1, 8, 1, MPI_CHAR, win);
    } else {
        seen = x[0];
    }
    MPI_Win_unlock_all(win);
    printf("%ld\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
