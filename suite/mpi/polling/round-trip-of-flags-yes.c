/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Get@28", "STORE@36"], "NPROCS": 2, "DESCRIPTION": "the answer flag is set before the owner's store", "RULE": "remote-race"} */
/* The origin may get the cell while the owner still stores (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, two = 2, value = 7, flag = 0, seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 4, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        while (flag != 2) {
            MPI_Fetch_and_op(NULL, &flag, MPI_INT, 1, 0, MPI_NO_OP, win);
            MPI_Win_flush(1, win);
        }
        MPI_Get(&seen, 1, MPI_INT, 1, 4, 1, MPI_INT, win);
    } else {
        while (flag == 0) {
            MPI_Fetch_and_op(NULL, &flag, MPI_INT, 1, 0, MPI_NO_OP, win);
            MPI_Win_flush(1, win);
        }
        MPI_Accumulate(&two, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(1, win);
        x[4] = 9;
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
