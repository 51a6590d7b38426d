// robust: no
// why: As mpi-graph-double-edge-yes, but the flush comes after the exchange with the neighbours: a put may come late.
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, give[3] = {1, 2, 3}, got[3], *mine;
    MPI_Comm graph;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    int neighbours[3] = {1 - me, me, 1 - me};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, neighbours, MPI_UNWEIGHTED, 3, neighbours, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    MPI_Put(&me, 1, MPI_INT, 1 - me, 0, 1, MPI_INT, win);
    MPI_Neighbor_alltoall(give, 1, MPI_INT, got, 1, MPI_INT, graph);
    MPI_Win_flush(1 - me, win);
    int seen = *(volatile int *)mine;
    (void)seen;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
