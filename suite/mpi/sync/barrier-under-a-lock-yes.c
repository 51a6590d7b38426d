/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@24", "LOAD@30"], "NPROCS": 2, "DESCRIPTION": "both take a lock, in any order, and nothing orders the load after it"} */
/* A barrier orders them after the lock; under it one would wait for the other, which waits for the lock. */

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7, seen = 0;
    int *x, *word;
    MPI_Win data, mutex;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &data);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &word, &mutex);
    x[0] = 0;
    MPI_Win_lock_all(0, data);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, mutex);
    MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, mutex);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, data);
        MPI_Win_flush(1, data);
    }
    MPI_Win_unlock(0, mutex);

    if (rank == 1)
        seen = x[0];

    MPI_Win_unlock_all(data);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", seen == -1);
    MPI_Win_free(&mutex);
    MPI_Win_free(&data);
    MPI_Finalize();
    return 0;
}
