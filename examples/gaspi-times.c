/* How long GASPI calls take between ranks 0 and 1: write with notify, there and back; write_notify; atomics; and a
 * barrier of all ranks.
 *
 *   cc -O2 examples/gaspi-times.c -I crates/gaspi/include -L target/release -lfarside_gaspi -o times
 *   farside run -n 2 ./times
 */
#include <GASPI.h>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    gaspi_return_t code = (call);                                                                                      \
    if (code != GASPI_SUCCESS) {                                                                                       \
      fprintf(stderr, "%s: %s\n", #call, gaspi_error_str(code));                                                       \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

static gaspi_rank_t rank, ranks;

static double now(void) {
  gaspi_cycles_t ticks;
  gaspi_float frequency;
  CHECK(gaspi_time_ticks(&ticks));
  CHECK(gaspi_cpu_frequency(&frequency));
  return (double)ticks / frequency;
}

static void take(void) {
  gaspi_notification_id_t first;
  gaspi_notification_t value;
  CHECK(gaspi_notify_waitsome(0, 0, 1, &first, GASPI_BLOCK));
  CHECK(gaspi_notify_reset(0, first, &value));
}

/* Half of a round trip, in us. */
static double one_way(gaspi_size_t size, int rounds, int joined) {
  double began = 0;
  int round;
  for (round = -rounds / 10 - 1; round < rounds; round++) {
    if (round == 0) began = now();
    if (rank == 1) take();
    if (joined) {
      CHECK(gaspi_write_notify(0, 0, 1 - rank, 0, size, size, 0, 1, 0, GASPI_BLOCK));
    } else {
      CHECK(gaspi_write(0, 0, 1 - rank, 0, size, size, 0, GASPI_BLOCK));
      CHECK(gaspi_notify(0, 1 - rank, 0, 1, 0, GASPI_BLOCK));
    }
    if (rank == 0) take();
    CHECK(gaspi_wait(0, GASPI_BLOCK));
  }
  return (now() - began) / rounds / 2;
}

int main(int count, char **arguments) {
  int rounds = count > 1 ? atoi(arguments[1]) : 20000, round;
  gaspi_size_t size, most = 1 << 20;
  gaspi_atomic_value_t old;
  double began;

  CHECK(gaspi_proc_init(GASPI_BLOCK));
  CHECK(gaspi_proc_rank(&rank));
  CHECK(gaspi_proc_num(&ranks));
  if (ranks < 2) return 2;
  CHECK(gaspi_segment_create(0, 2 * most, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  if (rank == 0) printf("%10s %20s %20s\n", "bytes", "write+notify, us", "write_notify, us");
  for (size = 8; rank < 2 && size <= most; size *= 8) {
    int few = size < 65536 ? rounds : rounds / 20 + 1;
    double apart = one_way(size, few, 0), joined = one_way(size, few, 1);
    if (rank == 0) printf("%10lu %20.2f %20.2f\n", size, apart, joined);
  }
  CHECK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  began = now();
  for (round = 0; rank == 0 && round < rounds; round++) CHECK(gaspi_atomic_fetch_add(0, 0, 1, 1, &old, GASPI_BLOCK));
  if (rank == 0) printf("fetch_add %.2f us\n", (now() - began) / rounds);
  CHECK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  began = now();
  for (round = 0; round < rounds; round++) CHECK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  if (rank == 0) printf("barrier of %d ranks %.2f us\n", ranks, (now() - began) / rounds);
  CHECK(gaspi_proc_term(GASPI_BLOCK));
  return 0;
}
