// C++: the header, formatted output, a notification.
#include <PGASPI.h>

int main() {
  gaspi_rank_t rank, ranks;
  gaspi_notification_id_t first;
  if (gaspi_proc_init(GASPI_BLOCK) != GASPI_SUCCESS) return 1;
  if (gaspi_proc_rank(&rank) != GASPI_SUCCESS || gaspi_proc_num(&ranks) != GASPI_SUCCESS) return 1;
  if (gaspi_segment_create(0, 64, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_ALLOC_DEFAULT) != GASPI_SUCCESS) return 1;
  if (gaspi_notify(0, static_cast<gaspi_rank_t>((rank + 1) % ranks), 7, 1, 0, GASPI_BLOCK) != GASPI_SUCCESS) return 1;
  if (gaspi_notify_waitsome(0, 0, 10, &first, GASPI_BLOCK) != GASPI_SUCCESS || first != 7) return 1;
  gaspi_printf("%d of %d\n", rank, ranks);
  return pgaspi_proc_term(GASPI_BLOCK) == GASPI_SUCCESS ? 0 : 1;
}
