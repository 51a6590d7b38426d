#include <mpi.h>
void exchange(double *line, int n, int left, int right, MPI_Win win);
