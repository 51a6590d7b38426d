/* A row of cells a process, whose ends are put to both neighbours; barriers order all.
   Planted: without the barrier after the puts, cells are read that neighbours still write. */
#include <armci.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 64, STEPS = 4 };

int main(int argc, char **argv)
{
    int me, size;
    MPI_Init(&argc, &argv);
    ARMCI_Init();
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    /* Cells 1 to CELLS are ours; 0 and CELLS + 1 are what the neighbours put there. */
    void **field = malloc(size * sizeof *field);
    ARMCI_Malloc(field, (CELLS + 2) * sizeof(double));
    double *mine = field[me], next[CELLS + 2];
    for (int i = 0; i < CELLS + 2; i++)
        mine[i] = me;
    ARMCI_Barrier();

    int left = (me + size - 1) % size, right = (me + 1) % size;
    for (int step = 0; step < STEPS; step++) {
        ARMCI_Put(&mine[1], (double *)field[left] + CELLS + 1, sizeof(double), left);
        ARMCI_Put(&mine[CELLS], (double *)field[right], sizeof(double), right);
#ifndef PLANTED
        ARMCI_Barrier();
#endif
        for (int i = 1; i <= CELLS; i++)
            next[i] = 0.25 * (mine[i - 1] + 2 * mine[i] + mine[i + 1]);
        for (int i = 1; i <= CELLS; i++)
            mine[i] = next[i];
        ARMCI_Barrier();
    }

    double sum = 0, all;
    for (int i = 1; i <= CELLS; i++)
        sum += mine[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("sum %f\n", all);
    ARMCI_Barrier();
    ARMCI_Free(field[me]);
    free(field);
    ARMCI_Finalize();
    MPI_Finalize();
    return 0;
}
