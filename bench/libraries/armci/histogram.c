/* A histogram that all processes add to by strided accumulates, and that process 0 reads with ARMCI_GetS.
   Planted: process 1 clears a bin with a put while others still add to it. */
#include <armci.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 4, COLUMNS = 8, WIDE = 16 };

int main(int argc, char **argv)
{
    int me, size;
    MPI_Init(&argc, &argv);
    ARMCI_Init();
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    void **bins = malloc(size * sizeof *bins);
    ARMCI_Malloc(bins, ROWS * WIDE * sizeof(double));
    for (int i = 0; i < ROWS * WIDE; i++)
        ((double *)bins[me])[i] = 0;
    ARMCI_Barrier();

    double part[ROWS][COLUMNS], one = 1, zero = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        part[0][i] = 1;
    int from[] = {COLUMNS * sizeof(double)}, to[] = {WIDE * sizeof(double)};
    int count[] = {COLUMNS * sizeof(double), ROWS};
    ARMCI_AccS(ARMCI_ACC_DBL, &one, part, from, bins[0], to, count, 1, 0);
#ifndef PLANTED
    ARMCI_Barrier();
#endif
    if (me == 1)
        ARMCI_Put(&zero, (double *)bins[0] + WIDE + 3, sizeof(double), 0);
    ARMCI_Barrier();

    if (me == 0) {
        ARMCI_GetS(bins[0], to, part, from, count, 1, 0);
        printf("%f\n", part[0][0]);
    }
    ARMCI_Barrier();
    ARMCI_Free(bins[me]);
    free(bins);
    ARMCI_Finalize();
    MPI_Finalize();
    return 0;
}
