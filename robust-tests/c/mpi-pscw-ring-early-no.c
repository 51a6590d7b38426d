// robust: no
// ranks: 3
// from: The same, read before the wait
// why: The put of the neighbour may come after the load.
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int me, n; MPI_Comm_rank(MPI_COMM_WORLD, &me); MPI_Comm_size(MPI_COMM_WORLD, &n);
  int in = -1, out = me; MPI_Win w;
  MPI_Win_create(&in, sizeof in, sizeof in, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  MPI_Group world, to, from; MPI_Comm_group(MPI_COMM_WORLD, &world);
  int r = (me + 1) % n, l = (me + n - 1) % n;
  MPI_Group_incl(world, 1, &r, &to); MPI_Group_incl(world, 1, &l, &from);
  for (int i = 0; i < 2; i++) {
    MPI_Win_post(from, 0, w);
    MPI_Win_start(to, 0, w);
    MPI_Put(&out, 1, MPI_INT, r, 0, 1, MPI_INT, w);
    MPI_Win_complete(w);
    out = in + 1;
    MPI_Win_wait(w);
  }
  printf("%d\n", out);
  MPI_Group_free(&to); MPI_Group_free(&from); MPI_Group_free(&world);
  MPI_Win_free(&w); MPI_Finalize();
}
