/* A program over the library of layer.h: the first put is ordered before the loads, the second is not. */
#include "layer.h"
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *cells = layer_open(4); /* makes the window */
    cells[0] = 0;
    layer_sync();
    if (rank == 0)
        layer_put(1, 0, 1);
    layer_sync();
    if (rank == 0)
        layer_put(1, 0, 2); /* the put that races */
    printf("%d\n", cells[0] > 0); /* the load */
    layer_sync();
    layer_close();
    MPI_Finalize();
    return 0;
}
