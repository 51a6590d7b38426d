/* What the programs share: a call that must give a code, a condition that must hold; else the program ends with 1. */
#ifndef CHECK_H
#define CHECK_H

#include <GASPI.h>
#include <PGASPI.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gaspi_rank_t me, ranks;

#define GIVES(wanted, call)                                                                                            \
  do {                                                                                                                 \
    gaspi_return_t given_ = (call);                                                                                    \
    if (given_ != (wanted)) {                                                                                          \
      fprintf(stderr, "%s:%d: rank %d: %s gives %d (%s), not %d\n", __FILE__, __LINE__, me, #call, given_,             \
              gaspi_error_str(given_), (wanted));                                                                      \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

#define OK(call) GIVES(GASPI_SUCCESS, call)

#define HOLDS(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: rank %d: not %s\n", __FILE__, __LINE__, me, #condition);                                 \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

static inline void begin(void) {
  OK(gaspi_proc_init(GASPI_BLOCK));
  OK(gaspi_proc_rank(&me));
  OK(gaspi_proc_num(&ranks));
}

static inline void barrier(void) { OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK)); }

static inline void end(void) {
  barrier();
  OK(gaspi_proc_term(GASPI_BLOCK));
}

static inline void *memory(gaspi_segment_id_t segment) {
  gaspi_pointer_t pointer;
  OK(gaspi_segment_ptr(segment, &pointer));
  return pointer;
}

/* Waits for one notification, and takes it. */
static inline gaspi_notification_t taken(gaspi_segment_id_t segment, gaspi_notification_id_t id) {
  gaspi_notification_id_t first;
  gaspi_notification_t value;
  OK(gaspi_notify_waitsome(segment, id, 1, &first, GASPI_BLOCK));
  HOLDS(first == id);
  OK(gaspi_notify_reset(segment, id, &value));
  HOLDS(value != 0);
  return value;
}

static inline gaspi_rank_t next(void) { return (gaspi_rank_t)((me + 1) % ranks); }
static inline gaspi_rank_t previous(void) { return (gaspi_rank_t)((me + ranks - 1) % ranks); }

#endif
