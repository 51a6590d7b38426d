/* More ranks than processors: waits give the processor away. A ring of notifications, barriers, tests in a loop. */
#include "check.h"

int main(void) {
  gaspi_return_t code;
  gaspi_notification_id_t first;
  gaspi_notification_t value;
  int round;
  begin();
  OK(gaspi_segment_create(0, 4096, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  for (round = 1; round <= 200; round++) {
    if (me == 0) OK(gaspi_notify(0, next(), 0, (gaspi_notification_t)round, 0, GASPI_BLOCK));
    do code = gaspi_notify_waitsome(0, 0, 1, &first, round % 2 ? GASPI_BLOCK : GASPI_TEST);
    while (code == GASPI_TIMEOUT);
    OK(code);
    OK(gaspi_notify_reset(0, 0, &value));
    HOLDS(value == (gaspi_notification_t)round);
    if (me != 0) OK(gaspi_notify(0, next(), 0, value, 0, GASPI_BLOCK));
    OK(gaspi_wait(0, GASPI_BLOCK));
  }
  for (round = 0; round < 200; round++) {
    do code = gaspi_barrier(GASPI_GROUP_ALL, round % 2 ? GASPI_BLOCK : GASPI_TEST);
    while (code == GASPI_TIMEOUT);
    OK(code);
  }
  /* The end, too, may be called again and again. */
  do code = gaspi_proc_term(round % 2 ? GASPI_TEST : 1);
  while (code == GASPI_TIMEOUT);
  OK(code);
  GIVES(GASPI_ERR_NOINIT, gaspi_proc_term(GASPI_TEST));
  return 0;
}
