/* GASPI 17.1 §7: segments of the library, and of the program's memory. */
#include "check.h"

static long global[512];

int main(void) {
  gaspi_number_t number;
  gaspi_segment_id_t list[8], id;
  gaspi_size_t size;
  gaspi_return_t code;
  long *data, *heap;
  int round;

  begin();
  /* Each rank has a length of its own, and tells the next rank of it. */
  OK(gaspi_segment_alloc(3, 1000 + 8 * (gaspi_size_t)me, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERR_INV_SEG, gaspi_segment_alloc(3, 1000, GASPI_MEM_INITIALIZED));
  data = memory(3);
  HOLDS(data[0] == 0 && data[124] == 0);
  OK(gaspi_segment_alloc(7, 64, GASPI_ALLOC_DEFAULT));
  if (ranks > 1) {
    barrier();
    /* Known here only when its owner has registered it. */
    GIVES(GASPI_ERR_INV_SEG, gaspi_write(3, 0, previous(), 3, 0, 8, 0, GASPI_BLOCK));
    GIVES(GASPI_ERR_INV_SEG, gaspi_segment_size(3, previous(), &size));
    barrier();
  }
  OK(gaspi_segment_register(3, next(), GASPI_BLOCK));
  OK(gaspi_segment_register(3, next(), GASPI_BLOCK));
  barrier();
  OK(gaspi_segment_size(3, previous(), &size));
  HOLDS(size == 1000 + 8 * (gaspi_size_t)previous());
  OK(gaspi_segment_size(3, me, &size));
  HOLDS(size == 1000 + 8 * (gaspi_size_t)me);
  data[0] = 100 + me;
  OK(gaspi_write(3, 0, previous(), 3, 8, 8, 0, GASPI_BLOCK));
  OK(gaspi_notify(3, previous(), 0, 1, 0, GASPI_BLOCK));
  HOLDS(taken(3, 0) == 1);
  HOLDS(data[1] == 100 + next());

  OK(gaspi_segment_num(&number));
  HOLDS(number == 2);
  OK(gaspi_segment_list(number, list));
  HOLDS(list[0] == 3 && list[1] == 7);
  OK(gaspi_segment_avail_local(&id));
  HOLDS(id == 0);
  barrier();
  OK(gaspi_segment_delete(3));
  GIVES(GASPI_ERR_INV_SEG, gaspi_segment_delete(3));
  barrier();
  GIVES(GASPI_ERR_INV_SEG, gaspi_segment_size(3, previous(), &size));

  /* For all of a group; again and again with the same number; called again after a timeout. */
  for (round = 1; round < 12; round++) {
    gaspi_timeout_t timeout = round % 3 == 0 ? GASPI_BLOCK : round % 3 == 1 ? GASPI_TEST : 1;
    do code = gaspi_segment_create(9, 4096 * (gaspi_size_t)round, GASPI_GROUP_ALL, timeout, GASPI_MEM_INITIALIZED);
    while (code == GASPI_TIMEOUT);
    OK(code);
    data = memory(9);
    /* The previous rank may have written the first word. */
    HOLDS(data[2] == 0 && data[512 * round - 1] == 0);
    OK(gaspi_segment_size(9, next(), &size));
    HOLDS(size == 4096 * (gaspi_size_t)round);
    data[1] = 7000 * round + me;
    OK(gaspi_write_notify(9, 8, next(), 9, 0, 8, 5, 1, 0, GASPI_BLOCK));
    taken(9, 5);
    HOLDS(data[0] == 7000 * round + previous());
    OK(gaspi_wait(0, GASPI_BLOCK));
    barrier();
    OK(gaspi_segment_delete(9));
  }

  /* The program's memory: of the heap, aligned anyhow, and global. */
  heap = malloc(4096 + 8);
  memset(heap, 0, 4096 + 8);
  GIVES(GASPI_ERR_NULLPTR, gaspi_segment_bind(20, NULL, 64, 0));
  OK(gaspi_segment_bind(20, heap + 1, 4096, 0));
  HOLDS(memory(20) == (void *)(heap + 1));
  OK(gaspi_segment_register(20, previous(), GASPI_BLOCK));
  OK(gaspi_segment_use(21, global, sizeof global, GASPI_GROUP_ALL, GASPI_BLOCK, 0));
  global[0] = 31 + me;
  global[1] = 41 + me;
  barrier();
  OK(gaspi_write(21, 0, next(), 20, 4080, 16, 2, GASPI_BLOCK));
  OK(gaspi_notify(20, next(), 65535, 77, 2, GASPI_BLOCK));
  HOLDS(taken(20, 65535) == 77);
  HOLDS(heap[511] == 31 + previous() && heap[512] == 41 + previous());
  GIVES(GASPI_ERR_INV_REM_OFF, gaspi_write(21, 0, next(), 20, 4081, 16, 2, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_LOC_OFF, gaspi_write(20, 4081, next(), 21, 0, 16, 2, GASPI_BLOCK));
  OK(gaspi_read_notify(20, 0, next(), 21, 0, 16, 3, 1, GASPI_BLOCK));
  HOLDS(taken(20, 3) == 1);
  HOLDS(heap[1] == 31 + next() && heap[2] == 41 + next());
  OK(gaspi_wait(1, GASPI_BLOCK));
  OK(gaspi_wait(2, GASPI_BLOCK));
  barrier();
  OK(gaspi_segment_delete(20));
  OK(gaspi_segment_delete(21));
  /* It is the program's still. */
  HOLDS(heap[511] == 31 + previous());
  free(heap);
  OK(gaspi_segment_num(&number));
  HOLDS(number == 1);
  end();
  return 0;
}
