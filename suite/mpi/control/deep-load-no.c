/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a load at the bottom of five calls comes after the put"} */
/* The flush completes the operation, the barrier orders the access after it (MPI-4.1 12.5.4, 12.7). */
#include <mpi.h>
#include <stdio.h>

static int level5(const int *cells) { return cells[3]; }
static int level4(const int *cells) { return level5(cells) + 1; }
static int level3(const int *cells) { return level4(cells) + 1; }
static int level2(const int *cells) { return level3(cells) + 1; }
static int level1(const int *cells) { return level2(cells) + 1; }

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
        MPI_Put(&value, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        value = level1(x);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", value);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
