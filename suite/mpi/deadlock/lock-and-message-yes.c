/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_lock@25", "MPI_Recv@21"], "NPROCS": 2, "DESCRIPTION": "one process holds a lock and waits for a message, which the other sends only after it has locked", "RULE": "deadlock", "TIME_LIMIT": 10} */
/* The receive waits for the send, the send for the lock, the lock for the unlock after the
   receive (MPI-4.1 12.7.3). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = rank, note = 0;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(&note, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_unlock(0, win);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Send(&note, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Win_unlock(0, win);
    }

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
