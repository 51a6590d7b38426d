/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a neighbourhood collective whose only edge leads from rank 0 to rank 1"} */
/* Rank 1 receives from rank 0, which sends after the flush (MPI-4.1 8.6). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7, seen = 0, note = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    int from = 0, to = 1;
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == to, &from, MPI_UNWEIGHTED, rank == from, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    }
    MPI_Neighbor_allgather(&value, 1, MPI_INT, &note, 1, MPI_INT, graph);
    if (rank == 1)
        seen = x[0];
    MPI_Win_unlock_all(win);

    printf("%d\n", seen);
    MPI_Comm_free(&graph);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
