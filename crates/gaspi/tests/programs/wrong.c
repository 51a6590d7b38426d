/* Arguments that cannot be: a code for each, and nothing is posted. */
#include "check.h"

int main(void) {
  gaspi_number_t number;
  gaspi_notification_id_t first;
  gaspi_notification_t value;
  gaspi_segment_id_t segments[2] = {0, 0}, unknown[2] = {0, 9};
  gaspi_offset_t offsets[2] = {0, 8}, beyond[2] = {0, 4096};
  gaspi_size_t sizes[2] = {8, 8};
  gaspi_segment_id_t many[300] = {0};
  gaspi_offset_t places[300] = {0};
  gaspi_size_t bytes[300] = {0};
  gaspi_pointer_t pointer;

  begin();
  GIVES(GASPI_ERR_INV_SEGSIZE, gaspi_segment_alloc(0, 0, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERR_INV_SEGSIZE, gaspi_segment_alloc(0, ~0UL, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERR_INV_SEG, gaspi_segment_alloc(255, 8, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERR_INV_NUM, gaspi_segment_alloc(0, 8, (gaspi_alloc_t)5));
  GIVES(GASPI_ERR_INV_GROUP, gaspi_segment_create(0, 8, 9, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  OK(gaspi_segment_create(0, 4096, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERR_INV_SEG, gaspi_segment_create(0, 4096, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERR_INV_RANK, gaspi_segment_register(0, ranks, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG, gaspi_segment_register(1, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG, gaspi_segment_ptr(1, &pointer));
  GIVES(GASPI_ERR_NULLPTR, gaspi_segment_ptr(0, NULL));
  GIVES(GASPI_ERR_NULLPTR, gaspi_segment_num(NULL));
  GIVES(GASPI_ERR_NULLPTR, gaspi_segment_list(1, NULL));

  GIVES(GASPI_ERR_INV_RANK, gaspi_write(0, 0, ranks, 0, 0, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_read(0, 0, 65535, 0, 0, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_write(0, 0, 0, 0, 0, 8, 8, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_read(0, 0, 0, 0, 0, 8, 255, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG, gaspi_write(1, 0, 0, 0, 0, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG, gaspi_read(0, 0, 0, 255, 0, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_LOC_OFF, gaspi_write(0, 4089, 0, 0, 0, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_LOC_OFF, gaspi_write(0, ~0UL - 3, 0, 0, 0, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_REM_OFF, gaspi_write(0, 0, 0, 0, 4089, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_REM_OFF, gaspi_read(0, 0, 0, 0, ~0UL - 3, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_COMMSIZE, gaspi_read(0, 0, 0, 0, 0, (1UL << 30) + 1, 0, GASPI_BLOCK));
  OK(gaspi_write(0, 4096, 0, 0, 4096, 0, 0, GASPI_BLOCK));

  GIVES(GASPI_ERR_INV_NOTIF_VAL, gaspi_notify(0, 0, 0, 0, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_NOTIF_ID, gaspi_notify(0, 0, 65536, 1, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG, gaspi_notify(1, 0, 0, 1, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_notify(0, ranks, 0, 1, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_notify(0, 0, 0, 1, 100, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_NOTIF_VAL, gaspi_write_notify(0, 0, 0, 0, 0, 8, 0, 0, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_NOTIF_ID, gaspi_read_notify(0, 0, 0, 0, 0, 8, 65536, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG, gaspi_notify_waitsome(1, 0, 1, &first, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_NOTIF_ID, gaspi_notify_waitsome(0, 65536, 1, &first, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_NUM, gaspi_notify_waitsome(0, 65535, 2, &first, GASPI_BLOCK));
  GIVES(GASPI_ERR_NULLPTR, gaspi_notify_waitsome(0, 0, 1, NULL, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG, gaspi_notify_reset(1, 0, &value));
  GIVES(GASPI_ERR_INV_NOTIF_ID, gaspi_notify_reset(0, 65536, &value));
  GIVES(GASPI_ERR_NULLPTR, gaspi_notify_reset(0, 0, NULL));

  /* Of a list with one wrong element nothing is posted. */
  OK(gaspi_wait(0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_LOC_OFF,
        gaspi_write_list(2, segments, beyond, 0, segments, offsets, sizes, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG, gaspi_read_list(2, segments, offsets, 0, unknown, offsets, sizes, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG,
        gaspi_write_list_notify(2, segments, offsets, 0, segments, offsets, sizes, 9, 0, 1, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_NUM, gaspi_write_list(256, many, places, 0, many, places, bytes, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_NULLPTR, gaspi_write_list(2, segments, NULL, 0, segments, offsets, sizes, 0, GASPI_BLOCK));
  OK(gaspi_queue_size(0, &number));
  HOLDS(number == 0);
  OK(gaspi_write_list(255, many, places, 0, many, places, bytes, 0, GASPI_BLOCK));

  GIVES(GASPI_ERR_INV_QUEUE, gaspi_wait(8, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_queue_size(8, &number));
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_queue_delete(8));
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_queue_purge(16, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_proc_kill(ranks, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_proc_kill(me, GASPI_BLOCK));
  end();
  return 0;
}
