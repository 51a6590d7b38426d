/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_lock@21"], "NPROCS": 2, "DESCRIPTION": "each process holds a shared lock on one target and asks for an exclusive one on the other's", "RULE": "deadlock", "TIME_LIMIT": 10} */
/* An exclusive lock waits for shared ones to be released: a cycle (MPI-4.1 12.5.3, 12.7.3). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, copy = 0;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[0] = rank;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    MPI_Get(&copy, 1, MPI_INT, rank, 0, 1, MPI_INT, win);
    MPI_Win_flush(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win);
    MPI_Get(&copy, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Win_flush(1 - rank, win);
    MPI_Win_unlock(1 - rank, win);
    MPI_Win_unlock(rank, win);

    printf("rank %d done\n", rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
