/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the owner sets a flag under a lock after its put is done, another polls the flag under a lock"} */
/* Who sees the flag comes after the epoch in which it was set, although its own lock may have been called before
   (MPI-4.1 12.5.3). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7, seen = 0;
    int *flag, *data;
    MPI_Win flags, win;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &flag, &flags);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &data, &win);
    *flag = 0;
    *data = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 1) {
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, flags);
        *flag = 1;
        MPI_Win_unlock(1, flags);
    } else {
        while (!seen) {
            MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, flags);
            MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, flags);
            MPI_Win_unlock(1, flags);
        }
        printf("%d\n", *data);
    }

    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Win_free(&flags);
    MPI_Finalize();
    return 0;
}
