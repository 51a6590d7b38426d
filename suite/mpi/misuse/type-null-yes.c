/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Put@17"], "NPROCS": 2, "DESCRIPTION": "a put with MPI_DATATYPE_NULL at the target", "RULE": "invalid-argument"} */
/* MPI_DATATYPE_NULL is no datatype of a buffer (MPI-4.1 5.1, 12.3). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int value = rank + 1, *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);

    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_DATATYPE_NULL, win);
    MPI_Win_fence(0, win);

    MPI_Win_free(&win);
    printf("rank %d done\n", rank);
    MPI_Finalize();
    return 0;
}
