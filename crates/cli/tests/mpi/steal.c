/* A queue of tasks at each process; processes take from their own first, then from others. With EARLY, the lock of a
   queue is given back before the put to its head is complete. */
#include <mpi.h>
enum { LOCK, HEAD, TAIL, TASKS };
static MPI_Win win;
static long one = 1, zero = 0;
static int steal(int t) {
  long old, at[2], task, next;
  do {
    MPI_Compare_and_swap(&one, &zero, &old, MPI_LONG, t, LOCK, win);
    MPI_Win_flush(t, win);
  } while (old);
  MPI_Get(at, 2, MPI_LONG, t, HEAD, 2, MPI_LONG, win);
  MPI_Win_flush(t, win);
  int is_there = at[0] < at[1];
  if (is_there) {
    MPI_Get(&task, 1, MPI_LONG, t, TASKS + at[0], 1, MPI_LONG, win);
    next = at[0] + 1;
    MPI_Put(&next, 1, MPI_LONG, t, HEAD, 1, MPI_LONG, win);
    MPI_Win_flush_local(t, win);
  }
#ifndef EARLY
  MPI_Win_flush(t, win);
#endif
  MPI_Accumulate(&zero, 1, MPI_LONG, t, LOCK, 1, MPI_LONG, MPI_REPLACE, win);
  MPI_Win_flush(t, win);
  return is_there;
}
int main(int argc, char **argv) {
  int rank, size, empty = 0;
  long *queue;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(8 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &queue, &win);
  for (int i = 0; i < 8; i++) queue[i] = 0;
  queue[TAIL] = 4;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  while (empty < size) empty += !steal((rank + empty) % size);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
