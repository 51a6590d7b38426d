/* The header alone: widths and numbers of GPI-2 1.6 (shared/facts/gaspi.md, 1.1). */
#include "check.h"

#define WIDTH(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)
WIDTH(gaspi_rank_t, 2);
WIDTH(gaspi_segment_id_t, 1);
WIDTH(gaspi_queue_id_t, 1);
WIDTH(gaspi_group_t, 1);
WIDTH(gaspi_offset_t, 8);
WIDTH(gaspi_size_t, 8);
WIDTH(gaspi_timeout_t, 8);
WIDTH(gaspi_atomic_value_t, 8);
WIDTH(gaspi_cycles_t, 8);
WIDTH(gaspi_notification_id_t, 4);
WIDTH(gaspi_notification_t, 4);
WIDTH(gaspi_number_t, 4);
WIDTH(gaspi_statistic_counter_t, 4);
WIDTH(gaspi_time_t, 4);
WIDTH(gaspi_state_t, 4);
WIDTH(gaspi_return_t, 4);
WIDTH(gaspi_config_t, 80);
_Static_assert(GASPI_ERROR == -1 && GASPI_SUCCESS == 0 && GASPI_TIMEOUT == 1 && GASPI_QUEUE_FULL == 23, "codes");
_Static_assert(GASPI_ERR_NOINIT == 6 && GASPI_ERR_INV_RANK == 12 && GASPI_ERR_ACTIVE_COLL == 25, "codes");
_Static_assert(GASPI_BLOCK == 0xFFFFFFFFFFFFFFFFUL && GASPI_TEST == 0 && GASPI_GROUP_ALL == 0, "constants");
_Static_assert(GASPI_ALLOC_DEFAULT == 0 && GASPI_MEM_INITIALIZED == 1, "policies");
_Static_assert(GASPI_OP_MIN == 0 && GASPI_OP_MAX == 1 && GASPI_OP_SUM == 2, "operations");
_Static_assert(GASPI_TYPE_FLOAT == 2 && GASPI_TYPE_DOUBLE == 3 && GASPI_TYPE_ULONG == 5, "types");
_Static_assert(GASPI_STATE_HEALTHY == 0 && GASPI_STATE_CORRUPT == 1, "states");

int main(void) {
  gaspi_config_t config;
  OK(gaspi_config_get(&config));
  /* The library and the header agree on the places of all fields. */
  HOLDS(config.queue_num == 8 && config.queue_size_max == 1024 && config.group_max == 32);
  HOLDS(config.segment_max == 255 && config.notification_num == 65536 && config.rw_list_elem_max == 255);
  HOLDS(config.allreduce_elem_max == 255 && config.transfer_size_max == 1UL << 30);
  HOLDS(config.passive_transfer_size_max == 65535 && config.allreduce_buf_size == 8192 && !config.user_defined);
  return 0;
}
