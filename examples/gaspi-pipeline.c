/* A pipeline of ranks by GASPI notifications: blocks go from rank to rank, each works on them and hands them on.
 *
 *   cc examples/gaspi-pipeline.c -I crates/gaspi/include -L target/release -lfarside_gaspi -o pipeline
 *   farside run -n 4 ./pipeline
 *
 * A rank has SLOTS places for blocks. A block comes with a notification: who sees that sees the block. A place that is
 * free again is told to the rank before, by a notification, too. So no rank waits for all others, and there is neither
 * a barrier nor a message in the loop.
 */
#include <GASPI.h>

enum { SLOTS = 4, WORDS = 1024, DATA = 0, FULL = 0, FREE = SLOTS };

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    gaspi_return_t code = (call);                                                                                      \
    if (code != GASPI_SUCCESS) {                                                                                       \
      fprintf(stderr, "%s: %s\n", #call, gaspi_error_str(code));                                                       \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

/* Waits for a notification of this rank, and takes it. */
static gaspi_notification_t take(gaspi_notification_id_t id) {
  gaspi_notification_id_t first;
  gaspi_notification_t value;
  CHECK(gaspi_notify_waitsome(DATA, id, 1, &first, GASPI_BLOCK));
  CHECK(gaspi_notify_reset(DATA, first, &value));
  return value;
}

int main(int count, char **arguments) {
  gaspi_number_t blocks = count > 1 ? (gaspi_number_t)atoi(arguments[1]) : 10000, block;
  gaspi_rank_t rank, ranks;
  gaspi_pointer_t memory;
  gaspi_time_t began, ended;
  long *data;
  int word;

  CHECK(gaspi_proc_init(GASPI_BLOCK));
  CHECK(gaspi_proc_rank(&rank));
  CHECK(gaspi_proc_num(&ranks));
  CHECK(gaspi_segment_create(DATA, SLOTS * WORDS * sizeof(long), GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  CHECK(gaspi_segment_ptr(DATA, &memory));
  CHECK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  CHECK(gaspi_time_get(&began));

  for (block = 1; block <= blocks; block++) {
    gaspi_notification_id_t slot = block % SLOTS;
    gaspi_offset_t place = slot * WORDS * sizeof(long);
    data = (long *)memory + slot * WORDS;
    if (rank == 0) {
      /* The place is read by the write before, until that is complete here. */
      CHECK(gaspi_wait(0, GASPI_BLOCK));
      for (word = 0; word < WORDS; word++) data[word] = (long)block * word;
    } else {
      if (take(FULL + slot) != block) return 1;
      for (word = 0; word < WORDS; word++) data[word] += rank;
    }
    if (rank + 1 < ranks) {
      /* The place of the next rank must be free: the first times it is. */
      if (block > SLOTS) take(FREE + slot);
      CHECK(gaspi_write_notify(DATA, place, rank + 1, DATA, place, WORDS * sizeof(long), FULL + slot, block, 0,
                               GASPI_BLOCK));
      /* The place is free when the write has read it. */
      CHECK(gaspi_wait(0, GASPI_BLOCK));
    } else {
      for (word = 0; word < WORDS; word++)
        if (data[word] != (long)block * word + (long)ranks * (ranks - 1) / 2) return 1;
    }
    if (rank > 0 && block + SLOTS <= blocks)
      CHECK(gaspi_notify(DATA, rank - 1, FREE + slot, 1, 1, GASPI_BLOCK));
    if (block % 256 == 0) CHECK(gaspi_wait(1, GASPI_BLOCK));
  }

  CHECK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  CHECK(gaspi_time_get(&ended));
  gaspi_printf_to(0, "%u blocks of %zu bytes through %d ranks: %.2f us a block\n", blocks, WORDS * sizeof(long), ranks,
                  (ended - began) * 1000 / blocks);
  CHECK(gaspi_proc_term(GASPI_BLOCK));
  return 0;
}
