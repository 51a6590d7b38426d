/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a visitor that is called for each cell stops before the one that a put writes"} */
/* The visitor sees x[0] to x[7], the put writes x[8] (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

static int total;

static void add(int cell) { total += cell; }

static void visit(const int *cells, int count, void (*visitor)(int))
{
    for (int i = 0; i < count; i++)
        visitor(cells[i]);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 8, 1, MPI_INT, win);
    } else {
        visit(x, 8, add);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", total);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
