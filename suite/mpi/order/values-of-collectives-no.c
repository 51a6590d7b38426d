/* {"RACE_KIND": "none", "NPROCS": 3, "DESCRIPTION": "what vector, neighbourhood and reducing collectives bring is right, so that no process puts"} */
/* Every process puts to rank 0 if a value is not what MPI-4.1 6.5 to 6.12 and 8.6 say, and these puts would race. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int counts[8], places[8], same[8], send[32], got[32];
    for (int i = 0; i < size && i < 8; i++) {
        counts[i] = i + 1;
        same[i] = rank + 1;
        places[i] = 4 * i;
    }
    for (int i = 0; i < 32; i++) {
        send[i] = 100 * rank + i;
        got[i] = -1;
    }

    MPI_Allgatherv(send, rank + 1, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
    wrong |= got[0] != 0 || got[4] != 100 || got[5] != 101;
    MPI_Alltoallv(send, counts, places, MPI_INT, got, same, places, MPI_INT, MPI_COMM_WORLD);
    wrong |= got[0] != 4 * rank || got[4] != 100 + 4 * rank;
    MPI_Scatterv(send, counts, places, MPI_INT, got, rank + 1, MPI_INT, 1, MPI_COMM_WORLD);
    wrong |= got[0] != 100 + 4 * rank;
    MPI_Gatherv(send, rank + 1, MPI_INT, got, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    wrong |= rank == 0 && (got[0] != 0 || got[5] != 101);

    int first = rank * (rank + 1) / 2, sum = 0;
    for (int i = 0; i < size; i++)
        sum += 100 * i + first;
    MPI_Reduce_scatter(send, got, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong |= got[0] != sum;
    int before = 0;
    MPI_Exscan(&rank, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong |= rank > 0 && before != rank * (rank - 1) / 2;

    int around = 1;
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &around, 0, &ring);
    int below_above[2] = {10 * rank, 10 * rank + 1}, from[2] = {-1, -1};
    MPI_Neighbor_alltoall(below_above, 1, MPI_INT, from, 1, MPI_INT, ring);
    wrong |= from[0] != 10 * ((rank + size - 1) % size) + 1 || from[1] != 10 * ((rank + 1) % size);

    int *cells;
    MPI_Win win;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Win_fence(0, win);
    if (wrong)
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);

    printf("rank %d: %s\n", rank, wrong ? "wrong" : "right");
    MPI_Win_free(&win);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
