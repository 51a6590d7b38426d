// robust: yes
// from: A queue of one producer and one consumer, in memory that only the consumer gives to the window
// why: The item is flushed before the tail is written, and the head is written after the item was read.
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
enum { CAP = 2, N = 4 };
struct queue { long tail; long head; double slot[CAP]; };
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int me; MPI_Comm_rank(MPI_COMM_WORLD, &me);
  struct queue *q; MPI_Win win;
  MPI_Win_allocate(me == 1 ? sizeof *q : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &q, &win);
  if (me == 1) { q->tail = q->head = 0; }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  if (me == 0) {
    for (long i = 0; i < N; i++) {
      long head, zero = 0, one = i + 1;
      do {
        MPI_Fetch_and_op(&zero, &head, MPI_LONG, 1, offsetof(struct queue, head), MPI_NO_OP, win);
        MPI_Win_flush(1, win);
      } while (i - head >= CAP);
      double item = i * 1.5;
      MPI_Put(&item, 1, MPI_DOUBLE, 1, offsetof(struct queue, slot) + (i % CAP) * sizeof(double), 1, MPI_DOUBLE, win);
      MPI_Win_flush(1, win);
      MPI_Accumulate(&one, 1, MPI_LONG, 1, offsetof(struct queue, tail), 1, MPI_LONG, MPI_REPLACE, win);
      MPI_Win_flush(1, win);
    }
  } else if (me == 1) {
    double sum = 0;
    for (long i = 0; i < N; i++) {
      long tail, zero = 0, next = i + 1, old;
      do {
        MPI_Fetch_and_op(&zero, &tail, MPI_LONG, 1, offsetof(struct queue, tail), MPI_NO_OP, win);
        MPI_Win_flush(1, win);
      } while (tail <= i);
      sum += q->slot[i % CAP];
      MPI_Fetch_and_op(&next, &old, MPI_LONG, 1, offsetof(struct queue, head), MPI_REPLACE, win);
      MPI_Win_flush(1, win);
    }
    printf("%g\n", sum);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
