#include "halo.h"
void exchange(double *line, int n, int left, int right, MPI_Win win)
{
    MPI_Win_lock_all(0, win);
    MPI_Put(line + 1, 1, MPI_DOUBLE, left, n + 1, 1, MPI_DOUBLE, win);
    MPI_Put(line + n, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
    MPI_Win_unlock_all(win);
    line[1] += line[0];
}
