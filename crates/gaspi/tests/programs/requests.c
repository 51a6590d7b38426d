/* GASPI 17.1 §8: requests, notifications, queues. */
#include "check.h"

enum { WORDS = 1 << 16 };

int main(void) {
  gaspi_segment_id_t local[4] = {0, 0, 0, 1}, remote[4] = {0, 1, 0, 1};
  gaspi_offset_t here[4] = {0, 8, 16, 0}, there[4] = {4096, 0, 8192, 64};
  gaspi_size_t size[4] = {8, 8, 16, 32};
  gaspi_notification_id_t first;
  gaspi_notification_t value;
  gaspi_number_t number, depth;
  gaspi_queue_id_t queue;
  gaspi_statistic_value_t counted;
  long *a, *b;
  int i, round;

  begin();
  OK(gaspi_segment_create(0, WORDS * 8, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  OK(gaspi_segment_create(1, 4096, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  a = memory(0);
  b = memory(1);

  /* Reads: here when the queue was waited for. */
  for (i = 0; i < WORDS; i++) a[i] = me * 1000000L + i;
  barrier();
  OK(gaspi_read(1, 0, next(), 0, 512, 4096, 0, GASPI_BLOCK));
  OK(gaspi_wait(0, GASPI_BLOCK));
  for (i = 0; i < 512; i++) HOLDS(b[i] == next() * 1000000L + 64 + i);
  barrier();

  /* A notification alone, of the greatest number and value, also to oneself. */
  OK(gaspi_notify(0, next(), 65535, 0xFFFFFFFFu, 3, GASPI_BLOCK));
  HOLDS(taken(0, 65535) == 0xFFFFFFFFu);
  OK(gaspi_notify(1, me, 0, 9, 3, GASPI_BLOCK));
  HOLDS(taken(1, 0) == 9);
  OK(gaspi_notify_reset(1, 0, &value));
  HOLDS(value == 0);
  GIVES(GASPI_TIMEOUT, gaspi_notify_waitsome(1, 0, 65536, &first, GASPI_TEST));
  GIVES(GASPI_TIMEOUT, gaspi_notify_waitsome(1, 0, 65536, &first, 5));
  barrier();
  OK(gaspi_notify_waitsome(1, 0, 0, &first, GASPI_BLOCK));
  /* The same number of another segment is another one. */
  OK(gaspi_notify(1, next(), 12, 5, 3, GASPI_BLOCK));
  HOLDS(taken(1, 12) == 5);
  GIVES(GASPI_TIMEOUT, gaspi_notify_waitsome(0, 12, 1, &first, GASPI_TEST));
  /* Of a range one is found. */
  OK(gaspi_notify(0, next(), 1003, 4, 3, GASPI_BLOCK));
  OK(gaspi_notify_waitsome(0, 1000, 10, &first, GASPI_BLOCK));
  HOLDS(first == 1003);
  OK(gaspi_notify_reset(0, first, &value));
  HOLDS(value == 4);
  barrier();

  /* Lists. */
  memset(a, 0, WORDS * 8);
  memset(b, 0, 4096);
  for (i = 0; i < 4; i++) a[i] = 10 * me + i, b[i] = 1000 + 10 * me + i;
  barrier();
  OK(gaspi_write_list_notify(4, local, here, next(), remote, there, size, 1, 40, 3, 0, GASPI_BLOCK));
  HOLDS(taken(1, 40) == 3);
  HOLDS(a[512] == 10 * previous() && b[0] == 10 * previous() + 1);
  HOLDS(a[1024] == 10 * previous() + 2 && a[1025] == 10 * previous() + 3);
  HOLDS(b[9] == 1000 + 10 * previous() + 1 && b[11] == 1000 + 10 * previous() + 3);
  OK(gaspi_wait(0, GASPI_BLOCK));
  barrier();
  /* And back: what was written to the next rank is read from there. */
  for (i = 0; i < 4; i++) here[i] = 16384 + 64 * (gaspi_offset_t)i, local[i] = 0;
  OK(gaspi_read_list_notify(4, local, here, next(), remote, there, size, 0, 41, 1, GASPI_BLOCK));
  HOLDS(taken(0, 41) == 1);
  HOLDS(a[2048] == 10 * me && a[2048 + 16] == 10 * me + 2 && a[2048 + 24 + 3] == 1000 + 10 * me + 3);
  barrier();
  OK(gaspi_write_list(4, local, here, me, local, there, size, 1, GASPI_BLOCK));
  OK(gaspi_read_list(4, local, here, me, local, there, size, 1, GASPI_BLOCK));
  OK(gaspi_wait(1, GASPI_BLOCK));
  barrier();

  /* With nothing to write it is a notification. */
  OK(gaspi_write_notify(0, 0, next(), 0, 0, 0, 50, 6, 0, GASPI_BLOCK));
  HOLDS(taken(0, 50) == 6);

  /* The order of a queue: who sees the notification sees all that was written before, short and long. */
  memset(a, 0, WORDS * 8);
  barrier();
  for (round = 1; round <= 24; round++) {
    gaspi_queue_id_t own = (gaspi_queue_id_t)(round % 4);
    int longs = round % 3 == 0 ? 8192 : 1 + round;
    for (i = 0; i < longs; i++) a[WORDS / 2 + i] = round * 100000L + i;
    OK(gaspi_write(0, WORDS / 2 * 8, next(), 0, 0, (gaspi_size_t)longs * 8, own, GASPI_BLOCK));
    for (i = 0; i < 5; i++)
      OK(gaspi_write(0, (WORDS / 2 + (gaspi_offset_t)i % longs) * 8, next(), 0, (8200 + (gaspi_offset_t)i) * 8, 8, own,
                     GASPI_BLOCK));
    OK(gaspi_notify(0, next(), (gaspi_notification_id_t)round, (gaspi_notification_t)round, own, GASPI_BLOCK));
    HOLDS(taken(0, (gaspi_notification_id_t)round) == (gaspi_notification_t)round);
    for (i = 0; i < longs; i++) HOLDS(a[i] == round * 100000L + i);
    for (i = 0; i < 5; i++) HOLDS(a[8200 + i] == round * 100000L + i % longs);
    OK(gaspi_wait(own, GASPI_BLOCK));
    /* The previous rank may write again. */
    OK(gaspi_notify(1, previous(), 9, 1, 4, GASPI_BLOCK));
    HOLDS(taken(1, 9) == 1);
  }
  OK(gaspi_wait(4, GASPI_BLOCK));

  /* A queue that is full refuses, until it was waited for. */
  OK(gaspi_queue_size_max(&depth));
  for (i = 0; i < (int)depth; i++) OK(gaspi_write(0, 0, next(), 0, 64, 8, 6, GASPI_BLOCK));
  OK(gaspi_queue_size(6, &number));
  HOLDS(number == depth);
  GIVES(GASPI_QUEUE_FULL, gaspi_write(0, 0, next(), 0, 64, 8, 6, GASPI_BLOCK));
  GIVES(GASPI_QUEUE_FULL, gaspi_notify(0, next(), 0, 1, 6, GASPI_BLOCK));
  OK(gaspi_queue_size(6, &number));
  HOLDS(number == depth);
  OK(gaspi_wait(6, GASPI_BLOCK));
  OK(gaspi_queue_size(6, &number));
  HOLDS(number == 0);
  OK(gaspi_write(0, 0, next(), 0, 64, 8, 6, GASPI_BLOCK));
  OK(gaspi_queue_purge(6, GASPI_BLOCK));
  OK(gaspi_queue_size(6, &number));
  HOLDS(number == 0);

  /* Further queues, up to 16. */
  OK(gaspi_queue_num(&number));
  HOLDS(number == 8);
  for (i = 8; i < 16; i++) {
    OK(gaspi_queue_create(&queue, GASPI_BLOCK));
    HOLDS(queue == i);
  }
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_queue_create(&queue, GASPI_BLOCK));
  OK(gaspi_write_notify(0, 0, next(), 0, 64, 8, 60, 1, 15, GASPI_BLOCK));
  HOLDS(taken(0, 60) == 1);
  OK(gaspi_wait(15, GASPI_BLOCK));
  barrier();
  OK(gaspi_queue_delete(9));
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_queue_delete(9));
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_write(0, 0, next(), 0, 64, 8, 9, GASPI_BLOCK));
  OK(gaspi_queue_create(&queue, GASPI_BLOCK));
  HOLDS(queue == 9);

  OK(gaspi_statistic_counter_get(0, 0, &counted));
  HOLDS(counted > 1024);
  OK(gaspi_statistic_counter_reset(0));
  OK(gaspi_statistic_counter_get(0, 0, &counted));
  HOLDS(counted == 0);
  end();
  return 0;
}
