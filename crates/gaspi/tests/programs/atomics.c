/* GASPI 17.1 §10: global atomics, on the library's memory and on the program's. */
#include "check.h"

/* Aligned anyhow. */
static char own[40];

static void counts(gaspi_segment_id_t segment, const char *at_zero, int times) {
  gaspi_atomic_value_t old, last = 0;
  int i;
  for (i = 0; i < times; i++) {
    OK(gaspi_atomic_fetch_add(segment, 8, 0, 3, &old, GASPI_BLOCK));
    HOLDS(i == 0 || old > last);
    HOLDS(old % 3 == 0);
    last = old;
  }
  barrier();
  if (me == 0) {
    gaspi_atomic_value_t found;
    memcpy(&found, at_zero, 8);
    HOLDS(found == 3 * (gaspi_atomic_value_t)times * ranks);
  }
  /* A lock by compare-and-swap protects a word that is read and written in two steps. */
  for (i = 0; i < times / 4; i++) {
    gaspi_atomic_value_t seen;
    do OK(gaspi_atomic_compare_swap(segment, 16, 0, 0, me + 1u, &old, GASPI_BLOCK));
    while (old != 0);
    OK(gaspi_atomic_fetch_add(segment, 24, 0, 0, &seen, GASPI_BLOCK));
    OK(gaspi_atomic_compare_swap(segment, 24, 0, seen, seen + 1, &old, GASPI_BLOCK));
    HOLDS(old == seen);
    OK(gaspi_atomic_compare_swap(segment, 16, 0, me + 1u, 0, &old, GASPI_BLOCK));
    HOLDS(old == me + 1u);
  }
  barrier();
  OK(gaspi_atomic_fetch_add(segment, 24, 0, 0, &old, GASPI_BLOCK));
  HOLDS(old == (gaspi_atomic_value_t)(times / 4) * ranks);
  /* One that fails writes nothing. */
  OK(gaspi_atomic_compare_swap(segment, 24, 0, old + 1, 99, &last, GASPI_BLOCK));
  HOLDS(last == old);
  barrier();
}

int main(void) {
  gaspi_atomic_value_t old;
  int times = 400;
  begin();
  OK(gaspi_segment_create(0, 4096, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  OK(gaspi_segment_use(1, own + 1, 32, GASPI_GROUP_ALL, GASPI_BLOCK, 0));
  counts(0, (const char *)memory(0) + 8, times);
  counts(1, own + 1 + 8, times / 4);
  GIVES(GASPI_ERR_UNALIGN_OFF, gaspi_atomic_fetch_add(0, 4, 0, 1, &old, GASPI_BLOCK));
  GIVES(GASPI_ERR_UNALIGN_OFF, gaspi_atomic_compare_swap(0, 4, 0, 1, 1, &old, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_REM_OFF, gaspi_atomic_fetch_add(0, 4096, 0, 1, &old, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG, gaspi_atomic_fetch_add(5, 0, 0, 1, &old, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_atomic_fetch_add(0, 0, ranks, 1, &old, GASPI_BLOCK));
  GIVES(GASPI_ERR_NULLPTR, gaspi_atomic_fetch_add(0, 0, 0, 1, NULL, GASPI_BLOCK));
  end();
  return 0;
}
