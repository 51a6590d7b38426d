/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a block of a matrix transpose is used after its get is complete"} */
/* MPI_Win_flush_all completes all gets (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <stdio.h>

enum { N = 4 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int block[2][N][N] = {{{0}}}, trace = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(32 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 32; i++)
        x[i] = i;

    MPI_Datatype column;
    MPI_Type_vector(N, 1, 2 * N, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int peer = 0; peer < 2; peer++)
        for (int i = 0; i < N; i++)
            MPI_Get(block[peer][i], N, MPI_INT, peer, rank * N + i, 1, column, win);
    MPI_Win_flush_all(win);
    for (int peer = 0; peer < 2; peer++)
        for (int i = 0; i < N; i++)
            trace += block[peer][i][i];
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", trace);
    MPI_Type_free(&column);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
