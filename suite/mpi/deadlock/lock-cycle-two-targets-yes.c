/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_lock@21"], "NPROCS": 2, "DESCRIPTION": "each process holds an exclusive lock on its own part and asks for the other's part", "RULE": "deadlock", "TIME_LIMIT": 10} */
/* Both locks are held after the barrier, so that each second lock waits for ever (MPI-4.1
   12.5.3, 12.7.3). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = rank;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    int first = rank, second = 1 - rank;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, first, 0, win);
    MPI_Put(&value, 1, MPI_INT, first, 0, 1, MPI_INT, win);
    MPI_Win_flush(first, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, second, 0, win);
    MPI_Put(&value, 1, MPI_INT, second, 1, 1, MPI_INT, win);
    MPI_Win_flush(second, win);
    MPI_Win_unlock(second, win);
    MPI_Win_unlock(first, win);

    printf("rank %d done\n", rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
