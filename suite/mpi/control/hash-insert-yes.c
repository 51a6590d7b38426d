/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Compare_and_swap@11", "LOAD@33"], "NPROCS": 2, "DESCRIPTION": "a distributed hash table is read by its owner while others insert", "RULE": "remote-race"} */
/* compare_and_swap is not atomic towards loads (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

/* Inserts a key at the first free cell from its own place on; keys are not 0. */
static void insert(int key, MPI_Win win)
{
    int empty = 0, found = -1;
    for (int i = key; found != 0; i++) {
        MPI_Compare_and_swap(&key, &empty, &found, MPI_INT, i % 2, i / 2 % 16, win);
        MPI_Win_flush(i % 2, win);
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int count = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = 0;

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 5; i++)
        insert(3 * i + rank + 1, win);
    for (int i = 0; i < 16; i++)
        count += x[i] != 0;
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", count);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
