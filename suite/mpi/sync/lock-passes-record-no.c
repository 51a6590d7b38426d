/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a record is put and polled under exclusive locks, the data was flushed before it was set"} */
/* Epochs under exclusive locks exclude each other; who sees the record knows what came before the epoch that set it
   (MPI-4.1 12.5.3). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7, seen = 0, record[16] = {0}, full[16] = {1};
    int *x, *flag;
    MPI_Win data, flags;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &data);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &flag, &flags);
    x[0] = flag[0] = 0;
    MPI_Win_lock_all(0, data);
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, data);
        MPI_Win_flush(1, data);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, flags);
        MPI_Put(full, 16, MPI_INT, 1, 0, 16, MPI_INT, flags);
        MPI_Win_unlock(1, flags);
    } else {
        while (!record[0]) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, flags);
            MPI_Get(record, 16, MPI_INT, 1, 0, 16, MPI_INT, flags);
            MPI_Win_unlock(1, flags);
        }
        seen = x[0];
    }

    MPI_Win_unlock_all(data);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", seen);
    MPI_Win_free(&flags);
    MPI_Win_free(&data);
    MPI_Finalize();
    return 0;
}
