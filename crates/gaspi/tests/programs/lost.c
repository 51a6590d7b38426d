/* The last rank is lost: the others get GASPI_ERROR from whatever waits for it, with GASPI_BLOCK, and see it in the
 * state vector. The argument says in what they wait, and how it is lost: by itself, or by gaspi_proc_kill. */
#include "check.h"
#include <signal.h>
#include <unistd.h>

int main(int count, char **arguments) {
  gaspi_state_t states[64];
  gaspi_notification_id_t first;
  gaspi_rank_t sender, lost;
  gaspi_atomic_value_t old;
  gaspi_return_t code = GASPI_SUCCESS;
  gaspi_group_t survivors;
  const char *way = count > 1 ? arguments[1] : "";
  int i, sum = 0, own;

  begin();
  lost = (gaspi_rank_t)(ranks - 1);
  OK(gaspi_segment_create(0, 4096, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  barrier();
  if (!strcmp(way, "kill")) {
    /* All are through the barrier, for which the last rank is needed. */
    if (me != 0) OK(gaspi_notify(0, 0, 100u + me, 1, 3, GASPI_BLOCK));
    for (i = 1; me == 0 && i < ranks; i++) taken(0, 100u + (gaspi_notification_id_t)i);
  }
  if (me == lost) {
    if (!strcmp(way, "kill"))
      for (;;) pause();
    usleep(50000);
    raise(SIGKILL);
  }
  if (!strcmp(way, "kill") && me == 0) OK(gaspi_proc_kill(lost, GASPI_BLOCK));
  if (!strcmp(way, "barrier") || !strcmp(way, "kill")) code = gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
  if (!strcmp(way, "test"))
    do code = gaspi_barrier(GASPI_GROUP_ALL, GASPI_TEST);
    while (code == GASPI_TIMEOUT);
  if (!strcmp(way, "waitsome")) code = gaspi_notify_waitsome(0, 0, 10, &first, GASPI_BLOCK);
  if (!strcmp(way, "send")) code = gaspi_passive_send(0, 0, lost, 8, GASPI_BLOCK);
  if (!strcmp(way, "receive")) code = gaspi_passive_receive(0, 0, &sender, 8, GASPI_BLOCK);
  if (!strcmp(way, "create")) code = gaspi_segment_create(1, 64, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
  if (!strcmp(way, "requests"))
    /* Into its memory, until that is known to be lost. */
    while (code == GASPI_SUCCESS) {
      code = gaspi_write_notify(0, 0, lost, 0, 0, 64, 1, 1, 0, GASPI_BLOCK);
      if (code == GASPI_SUCCESS) code = gaspi_wait(0, GASPI_BLOCK);
    }
  if (!strcmp(way, "atomics"))
    while (code == GASPI_SUCCESS) code = gaspi_atomic_fetch_add(0, 0, lost, 1, &old, GASPI_BLOCK);
  if (code != GASPI_ERROR) fprintf(stderr, "%s: rank %d: %d\n", way, me, code);
  HOLDS(code == GASPI_ERROR);
  OK(gaspi_state_vec_get(states));
  for (i = 0; i < ranks; i++) HOLDS(states[i] == (i == lost ? GASPI_STATE_CORRUPT : GASPI_STATE_HEALTHY));
  GIVES(GASPI_ERROR, gaspi_proc_ping(lost, GASPI_BLOCK));
  GIVES(GASPI_ERROR, gaspi_notify(0, lost, 0, 1, 1, GASPI_BLOCK));
  /* The creation of the segment is still the operation of the group. */
  GIVES(strcmp(way, "create") ? GASPI_ERROR : GASPI_ERR_ACTIVE_COLL, gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  if (getenv("FARSIDE_TRANSPORT")[0] == 's') {
    /* In memory the others go on: a group of those that are left, and requests among them. */
    OK(gaspi_queue_purge(0, GASPI_BLOCK));
    OK(gaspi_group_create(&survivors));
    for (i = 0; i < lost; i++) OK(gaspi_group_add(survivors, (gaspi_rank_t)i));
    OK(gaspi_group_commit(survivors, GASPI_BLOCK));
    own = me + 1;
    OK(gaspi_allreduce(&own, &sum, 1, GASPI_OP_SUM, GASPI_TYPE_INT, survivors, GASPI_BLOCK));
    HOLDS(sum == ranks * (ranks - 1) / 2);
    OK(gaspi_write_notify(0, 0, (gaspi_rank_t)((me + 1) % lost), 0, 8, 8, 3, 1, 0, GASPI_BLOCK));
    OK(gaspi_wait(0, GASPI_BLOCK));
    /* With a limit: the loss was seen in the state vector, and waits that name no rank go on. */
    OK(gaspi_notify_waitsome(0, 3, 1, &first, 60000));
    OK(gaspi_barrier(survivors, 60000));
  } else {
    /* Over a network there is no group of those that are left: who ends too soon is lost to who looks late. */
    usleep(500000);
  }
  /* It ends, and says that not all are here. */
  GIVES(GASPI_ERROR, gaspi_proc_term(GASPI_BLOCK));
  GIVES(GASPI_ERR_NOINIT, gaspi_proc_rank(&sender));
  return 0;
}
