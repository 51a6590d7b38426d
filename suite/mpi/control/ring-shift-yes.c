/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@23", "LOAD@25"], "NPROCS": 3, "DESCRIPTION": "each rank passes a block round a ring and reads before the fence", "RULE": "remote-race"} */
/* Nothing orders the two accesses, or the first is not complete (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int block[4] = {rank, rank, rank, rank};
    int next[4];
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    int right = (rank + 1) % size;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (int step = 0; step < size; step++) {
        MPI_Put(block, 4, MPI_INT, right, 0, 4, MPI_INT, win);
        for (int i = 0; i < 4; i++)
            next[i] = x[i];
        MPI_Win_fence(0, win);
        for (int i = 0; i < 4; i++)
            block[i] = next[i];
        MPI_Win_fence(step == size - 1 ? MPI_MODE_NOSUCCEED : 0, win);
    }
    printf("%d\n", block[0]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
