/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a put at the bottom of six calls is completed there, then its buffer is overwritten by the caller"} */
/* MPI_Win_flush_local completes the operation at the origin (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <stdio.h>

static void level6(const int *cell, MPI_Win win)
{
    MPI_Put(cell, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_flush_local(1, win);
}

static void level5(const int *cell, MPI_Win win) { level6(cell, win); }
static void level4(const int *cell, MPI_Win win) { level5(cell, win); }
static void level3(const int *cell, MPI_Win win) { level4(cell, win); }
static void level2(const int *cell, MPI_Win win) { level3(cell, win); }
static void level1(const int *cell, MPI_Win win) { level2(cell, win); }

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
        level1(&value, win);
        value = 0;
    } else {
        printf("idle\n");
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", x[0]);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
