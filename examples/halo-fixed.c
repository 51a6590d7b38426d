/* Heat along a rod, one piece of it on each rank: halo.c, repaired.
 *
 * MPI_Win_flush_all completes the puts at origin and target before the barrier tells the neighbours that they may
 * read. */
#include <mpi.h>
#include <stdio.h>

enum { CELLS = 64, STEPS = 50 };

/* The halo cells of this piece: what the left and the right neighbour put there. */
static double *halo;
static MPI_Win win;

static double cells[CELLS], next[CELLS];

static void exchange(double *edge, int left, int right)
{
    edge[0] = cells[0];
    edge[1] = cells[CELLS - 1];
    MPI_Put(&edge[0], 1, MPI_DOUBLE, left, 1, 1, MPI_DOUBLE, win);
    MPI_Put(&edge[1], 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
}

static void advance(void)
{
    for (int i = 0; i < CELLS; i++) {
        double before = i == 0 ? halo[0] : cells[i - 1];
        double after = i == CELLS - 1 ? halo[1] : cells[i + 1];
        next[i] = cells[i] + 0.25 * (before - 2 * cells[i] + after);
    }
    for (int i = 0; i < CELLS; i++)
        cells[i] = next[i];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;

    MPI_Win_allocate(2 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &halo, &win);
    MPI_Win_set_name(win, "halo");
    for (int i = 0; i < CELLS; i++)
        cells[i] = rank == 0 && i < CELLS / 2 ? 100 : 0;

    double edge[2];
    MPI_Win_lock_all(0, win);
    for (int step = 0; step < STEPS; step++) {
        exchange(edge, left, right);
        advance();
        MPI_Win_sync(win);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);

    double heat = 0, total;
    for (int i = 0; i < CELLS; i++)
        heat += cells[i];
    MPI_Reduce(&heat, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("heat %.6f, expected %.6f\n", total, 100.0 * CELLS / 2);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
