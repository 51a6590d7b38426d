#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm c = MPI_COMM_SELF; int *base; MPI_Win win; int x = 1, y[64] = {0}; MPI_Request q[2];
  int n = atoi(argv[2]);
  MPI_Win_allocate(4096, 4, MPI_INFO_NULL, c, &base, &win);
  for (int i = 0; i < n; i++) switch (argv[1][0]) {
    case 'b': MPI_Bcast(&x, 1, MPI_INT, 0, c); break;
    case 'a': MPI_Allreduce(&x, y, 1, MPI_INT, MPI_SUM, c); break;
    case 'i': MPI_Isend(&x, 1, MPI_INT, 0, 0, c, &q[1]); MPI_Recv(y, 1, MPI_INT, 0, 0, c, MPI_STATUS_IGNORE); MPI_Wait(&q[1], MPI_STATUS_IGNORE); break;
    case 's': MPI_Sendrecv(&x, 1, MPI_INT, 0, 0, y, 1, MPI_INT, 0, 0, c, MPI_STATUS_IGNORE); break;
  }
  MPI_Win_free(&win); MPI_Finalize(); return 0;
}
