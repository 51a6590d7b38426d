// robust: yes
// from: A put under an exclusive lock, and a message each way in one buffer
// why: The unlock completes the put, and the message comes after it.
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int me, n; MPI_Comm_rank(MPI_COMM_WORLD, &me); MPI_Comm_size(MPI_COMM_WORLD, &n);
  int mem[4] = {0}, val[4];
  MPI_Win w; MPI_Win_create(mem, sizeof mem, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  for (int i = 0; i < 4; i++) val[i] = me * 10 + i;
  int to = (me + 1) % n, from = (me - 1 + n) % n, tok = 1;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, w);
  MPI_Put(val, 4, MPI_INT, to, 0, 4, MPI_INT, w);
  MPI_Win_unlock(to, w);
  MPI_Sendrecv_replace(&tok, 1, MPI_INT, to, 7, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w);
  int s = mem[0] + mem[3];
  MPI_Win_unlock(me, w);
  printf("%d\n", s);
  MPI_Win_free(&w);
  MPI_Finalize();
  return 0;
}
