/* Relaxation on a global array: each process gets its block with a rim, computes, and puts its block into the other
   array. Planted: without the synchronisation after a step, rims are read that neighbours still write. */
#include <ga.h>
#include <macdecls.h>
#include <mpi.h>
#include <stdio.h>

enum { N = 24, STEPS = 3, ROOM = N + 2 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    GA_Initialize();
    MA_init(C_DBL, 100000, 100000);
    int me = GA_Nodeid(), size[] = {N, N}, chunk[] = {-1, N};
    int field[] = {NGA_Create(C_DBL, 2, size, "old", chunk), NGA_Create(C_DBL, 2, size, "new", chunk)};
    double start = 1 + me, rim[ROOM][N], block[ROOM][N];
    int low[2], high[2], row[] = {N};
    NGA_Distribution(field[0], me, low, high);
    for (int i = 0; i <= high[0] - low[0]; i++)
        for (int j = 0; j < N; j++)
            block[i][j] = start;
    NGA_Put(field[0], low, high, block, row);
    GA_Copy(field[0], field[1]);

    for (int step = 0; step < STEPS; step++) {
        int from[] = {low[0] > 0 ? low[0] - 1 : 0, 0}, to[] = {high[0] < N - 1 ? high[0] + 1 : N - 1, N - 1};
        NGA_Get(field[step % 2], from, to, rim, row);
        for (int i = low[0]; i <= high[0]; i++)
            for (int j = 0; j < N; j++) {
                int k = i - from[0], up = i > 0 ? k - 1 : k, down = i < N - 1 ? k + 1 : k;
                block[i - low[0]][j] = (rim[up][j] + 2 * rim[k][j] + rim[down][j]) / 4;
            }
        NGA_Put(field[(step + 1) % 2], low, high, block, row);
#ifndef PLANTED
        GA_Sync();
#endif
    }

    GA_Sync();
    double norm = GA_Ddot(field[STEPS % 2], field[STEPS % 2]);
    if (me == 0)
        printf("norm %f\n", norm);
    GA_Destroy(field[0]);
    GA_Destroy(field[1]);
    GA_Terminate();
    MPI_Finalize();
    return 0;
}
