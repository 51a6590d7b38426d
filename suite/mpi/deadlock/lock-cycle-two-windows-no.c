/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "both processes take the two exclusive locks in the same order"} */
/* A global order of locks has no cycle (MPI-4.1 12.5.3, 12.7.3). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *a, *b, value = rank;
    MPI_Win first, second;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &a, &first);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &b, &second);

    MPI_Win mine = first;
    MPI_Win theirs = second;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, mine);
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, mine);
    MPI_Win_flush(0, mine); /* the lock is held now at the latest */
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, theirs);
    MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, theirs);
    MPI_Win_flush(0, theirs);
    MPI_Win_unlock(0, theirs);
    MPI_Win_unlock(0, mine);

    printf("rank %d done\n", rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&second);
    MPI_Win_free(&first);
    MPI_Finalize();
    return 0;
}
