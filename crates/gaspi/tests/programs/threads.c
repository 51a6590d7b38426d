/* GASPI 17.1 §8.2: threads of a rank share queues, and each waits for notifications of its own. */
#include "check.h"
#include <pthread.h>

enum { THREADS = 3, ROUNDS = 200 };

static void *thread(void *argument) {
  gaspi_notification_id_t own = (gaspi_notification_id_t)(uintptr_t)argument;
  volatile long *data = memory(0);
  gaspi_return_t code;
  int round;
  for (round = 1; round <= ROUNDS; round++) {
    data[own] = 1000 * round + me;
    do {
      code = gaspi_write_notify(0, own * 8, next(), 0, (THREADS + own) * 8, 8, own, (gaspi_notification_t)round, 0,
                                GASPI_BLOCK);
      if (code == GASPI_QUEUE_FULL) OK(gaspi_wait(0, GASPI_BLOCK));
    } while (code == GASPI_QUEUE_FULL);
    OK(code);
    HOLDS(taken(0, own) == (gaspi_notification_t)round);
    HOLDS(data[THREADS + own] == 1000 * round + previous());
    OK(gaspi_wait(0, GASPI_BLOCK));
    OK(gaspi_notify(0, previous(), 100 + own, 1, 1, GASPI_BLOCK));
    taken(0, 100 + own);
    OK(gaspi_wait(1, GASPI_BLOCK));
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  uintptr_t i;
  begin();
  OK(gaspi_segment_create(0, 4096, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  for (i = 0; i < THREADS; i++) HOLDS(pthread_create(&threads[i], NULL, thread, (void *)i) == 0);
  for (i = 0; i < THREADS; i++) HOLDS(pthread_join(threads[i], NULL) == 0);
  end();
  return 0;
}
