// robust: no
// ranks: 3
// why: As mpi-graph-ring-yes, but the flush comes after the exchange with the neighbours: a put may come late.
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n, one = 1, got = 0, *mine;
    MPI_Comm ring;
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int next = (me + 1) % n, last = (me + n - 1) % n;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &ring);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    MPI_Put(&me, 1, MPI_INT, next, 0, 1, MPI_INT, win);
    MPI_Neighbor_allgather(&one, 1, MPI_INT, &got, 1, MPI_INT, ring);
    MPI_Win_flush(next, win);
    int seen = *(volatile int *)mine;
    (void)seen;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
