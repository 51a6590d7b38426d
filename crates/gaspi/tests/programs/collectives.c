/* GASPI 17.1 §6, §11: groups, barrier, allreduce, with all timeouts. */
#include "check.h"

/* left + 2 * right would show an order; here the state and the arguments are looked at. */
struct pair {
  double sum;
  long most;
};

static gaspi_return_t both(gaspi_pointer_t left, gaspi_pointer_t right, gaspi_pointer_t result,
                           gaspi_reduce_state_t state, gaspi_number_t number, gaspi_size_t size,
                           gaspi_timeout_t timeout) {
  struct pair *one = left, *two = right, *all = result;
  gaspi_number_t i;
  (void)timeout;
  if (size != sizeof(struct pair)) return GASPI_ERROR;
  for (i = 0; i < number; i++) {
    all[i].sum = one[i].sum + two[i].sum;
    all[i].most = one[i].most > two[i].most ? one[i].most : two[i].most;
  }
  ++*(int *)state;
  return GASPI_SUCCESS;
}

#define REDUCES(type, kind, operation, own, wanted)                                                                    \
  do {                                                                                                                 \
    type send_[3] = {(type)(own), (type)(own), 7}, receive_[3] = {0};                                                  \
    OK(gaspi_allreduce(send_, receive_, 3, operation, kind, GASPI_GROUP_ALL, GASPI_BLOCK));                            \
    HOLDS(receive_[0] == (type)(wanted) && receive_[1] == (type)(wanted));                                             \
    HOLDS(receive_[2] == (type)((operation) == GASPI_OP_SUM ? 7 * ranks : 7));                                         \
  } while (0)

static void types(void) {
  long n = ranks, total = n * (n - 1) / 2;
  REDUCES(int, GASPI_TYPE_INT, GASPI_OP_SUM, -(int)me, -total);
  REDUCES(int, GASPI_TYPE_INT, GASPI_OP_MIN, -(int)me, -(n - 1));
  REDUCES(int, GASPI_TYPE_INT, GASPI_OP_MAX, -(int)me, 0);
  REDUCES(unsigned, GASPI_TYPE_UINT, GASPI_OP_SUM, me, total);
  REDUCES(unsigned, GASPI_TYPE_UINT, GASPI_OP_MAX, 0u - me, n > 1 ? 0u - 1 : 0u);
  REDUCES(float, GASPI_TYPE_FLOAT, GASPI_OP_SUM, me + 0.5f, (float)total + 0.5f * (float)n);
  REDUCES(float, GASPI_TYPE_FLOAT, GASPI_OP_MIN, -1.5f * me, -1.5f * (float)(n - 1));
  REDUCES(double, GASPI_TYPE_DOUBLE, GASPI_OP_SUM, me + 0.25, (double)total + 0.25 * (double)n);
  REDUCES(double, GASPI_TYPE_DOUBLE, GASPI_OP_MAX, me * 3.0, (double)(n - 1) * 3.0);
  REDUCES(long, GASPI_TYPE_LONG, GASPI_OP_MIN, (1L << 40) - me, (1L << 40) - (n - 1));
  REDUCES(long, GASPI_TYPE_LONG, GASPI_OP_SUM, (1L << 40) - me, n * (1L << 40) - total);
  REDUCES(unsigned long, GASPI_TYPE_ULONG, GASPI_OP_MAX, (1UL << 63) + me, (1UL << 63) + (unsigned long)(n - 1));
}

int main(void) {
  gaspi_group_t evens, all, extra;
  gaspi_number_t number, size, most;
  gaspi_rank_t members[64];
  gaspi_return_t code;
  double values[255], sums[255];
  struct pair pairs[3], result[3];
  int i, round, calls = 0;

  begin();
  types();

  /* As long as may be. */
  for (i = 0; i < 255; i++) values[i] = i + 0.1 * me;
  OK(gaspi_allreduce(values, sums, 255, GASPI_OP_SUM, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, GASPI_BLOCK));
  /* All ranks have the same bits. */
  for (i = 0; i < 255; i += 10) {
    double least, greatest;
    OK(gaspi_allreduce(&sums[i], &least, 1, GASPI_OP_MIN, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, GASPI_BLOCK));
    OK(gaspi_allreduce(&sums[i], &greatest, 1, GASPI_OP_MAX, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, GASPI_BLOCK));
    HOLDS(least == sums[i] && greatest == sums[i]);
  }
  GIVES(GASPI_ERR_INV_NUM, gaspi_allreduce(values, sums, 256, GASPI_OP_SUM, GASPI_TYPE_INT, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_NUM, gaspi_allreduce(values, sums, 0, GASPI_OP_SUM, GASPI_TYPE_INT, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_NULLPTR, gaspi_allreduce(NULL, sums, 1, GASPI_OP_SUM, GASPI_TYPE_INT, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_NULLPTR, gaspi_allreduce(values, NULL, 1, GASPI_OP_SUM, GASPI_TYPE_INT, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SIZE, gaspi_allreduce_user(values, sums, 255, 64, both, &calls, 0, GASPI_BLOCK));

  /* A function of the program; called again and again until it is done. What is sent is copied in the first call. */
  for (round = 0; round < 20; round++) {
    gaspi_timeout_t timeout = round % 3 == 0 ? GASPI_BLOCK : round % 3 == 1 ? GASPI_TEST : 1;
    for (i = 0; i < 3; i++) pairs[i].sum = me + i, pairs[i].most = round + me * 10 + i;
    memset(result, 0, sizeof result);
    do {
      code = gaspi_allreduce_user(pairs, result, 3, sizeof(struct pair), both, &calls, GASPI_GROUP_ALL, timeout);
      for (i = 0; i < 3; i++) pairs[i].sum = -1000;
    } while (code == GASPI_TIMEOUT);
    OK(code);
    for (i = 0; i < 3; i++) {
      HOLDS(result[i].sum == ranks * (ranks - 1) / 2 + i * ranks);
      HOLDS(result[i].most == round + (ranks - 1) * 10 + i);
    }
  }
  HOLDS(ranks == 1 || me != 0 || calls > 0);

  /* A barrier that is tested, while a rank is late; nobody is through before it. */
  OK(gaspi_segment_create(0, 4096, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  for (round = 0; round < 4; round++) {
    gaspi_timeout_t timeout = round % 2 ? GASPI_TEST : 2;
    gaspi_atomic_value_t old;
    int late = round % ranks, waited = 0;
    if (me == late) {
      /* Until all others have come to the end of a timeout. */
      for (i = 0; i < ranks; i++)
        if (i != me) taken(0, (gaspi_notification_id_t)i);
      OK(gaspi_atomic_fetch_add(0, 0, 0, 1, &old, GASPI_BLOCK));
    }
    while ((code = gaspi_barrier(GASPI_GROUP_ALL, timeout)) == GASPI_TIMEOUT)
      if (waited++ == 0 && me != late) OK(gaspi_notify(0, (gaspi_rank_t)late, me, 1, 0, GASPI_BLOCK));
    OK(code);
    HOLDS(me == late || waited > 0);
    OK(gaspi_atomic_fetch_add(0, 0, 0, 0, &old, GASPI_BLOCK));
    HOLDS(old >= (gaspi_atomic_value_t)round + 1);
  }
  barrier();
  if (ranks > 1) {
    /* Another operation of the group, while one waits to be called again. */
    if (me == 0) {
      GIVES(GASPI_TIMEOUT, gaspi_barrier(GASPI_GROUP_ALL, GASPI_TEST));
      GIVES(GASPI_ERR_ACTIVE_COLL, gaspi_allreduce(values, sums, 1, GASPI_OP_SUM, GASPI_TYPE_INT, 0, GASPI_BLOCK));
      OK(gaspi_notify(0, 1, 1, 1, 0, GASPI_BLOCK));
    } else if (me == 1) {
      taken(0, 1);
    }
    barrier();
  }

  /* Groups: the even ranks; all, in another order. */
  OK(gaspi_group_num(&number));
  HOLDS(number == 1);
  OK(gaspi_group_size(GASPI_GROUP_ALL, &size));
  HOLDS(size == ranks);
  OK(gaspi_group_commit(GASPI_GROUP_ALL, GASPI_BLOCK));
  OK(gaspi_group_create(&evens));
  for (i = 0; i < ranks; i += 2) OK(gaspi_group_add(evens, (gaspi_rank_t)i));
  GIVES(GASPI_ERR_INV_RANK, gaspi_group_add(evens, 0));
  GIVES(GASPI_ERR_INV_RANK, gaspi_group_add(evens, ranks));
  GIVES(GASPI_ERR_INV_GROUP, gaspi_barrier(evens, GASPI_BLOCK));
  OK(gaspi_group_create(&all));
  for (i = ranks - 1; i >= 0; i--) OK(gaspi_group_add(all, (gaspi_rank_t)i));
  do code = gaspi_group_commit(all, GASPI_TEST);
  while (code == GASPI_TIMEOUT);
  OK(code);
  GIVES(GASPI_ERR_INV_GROUP, gaspi_group_add(all, 0));
  OK(gaspi_group_ranks(all, members));
  for (i = 0; i < ranks; i++) HOLDS(members[i] == i);
  for (round = 0; round < 20; round++) {
    int own = me + round, sum = 0;
    if (me % 2 == 0) {
      if (round == 0) OK(gaspi_group_commit(evens, GASPI_BLOCK));
      OK(gaspi_allreduce(&own, &sum, 1, GASPI_OP_MAX, GASPI_TYPE_INT, evens, GASPI_BLOCK));
      HOLDS(sum == (ranks - 1) / 2 * 2 + round);
    } else if (round == 0) {
      /* Of the members only. */
      GIVES(GASPI_ERR_INV_GROUP, gaspi_group_commit(evens, GASPI_BLOCK));
    }
    OK(gaspi_allreduce(&own, &sum, 1, GASPI_OP_SUM, GASPI_TYPE_INT, all, GASPI_BLOCK));
    HOLDS(sum == ranks * (ranks - 1) / 2 + round * ranks);
    OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  }
  OK(gaspi_group_delete(evens));
  GIVES(GASPI_ERR_INV_GROUP, gaspi_group_delete(evens));
  GIVES(GASPI_ERR_INV_GROUP, gaspi_group_size(evens, &size));
  GIVES(GASPI_ERR_INV_GROUP, gaspi_group_delete(GASPI_GROUP_ALL));
  OK(gaspi_group_max(&most));
  OK(gaspi_group_num(&number));
  HOLDS(number == 2);
  for (; number < most; number++) OK(gaspi_group_create(&extra));
  GIVES(GASPI_ERR_MANY_GRP, gaspi_group_create(&extra));
  GIVES(GASPI_ERR_INV_GROUP, gaspi_barrier(77, GASPI_BLOCK));
  end();
  return 0;
}
