/* A tool: its gaspi_write takes the place of the library's, counts, and calls pgaspi_write. */
#include <PGASPI.h>

int tool_writes;

gaspi_return_t gaspi_write(gaspi_segment_id_t local, gaspi_offset_t local_offset, gaspi_rank_t rank,
                           gaspi_segment_id_t remote, gaspi_offset_t remote_offset, gaspi_size_t size,
                           gaspi_queue_id_t queue, gaspi_timeout_t timeout) {
  tool_writes++;
  return pgaspi_write(local, local_offset, rank, remote, remote_offset, size, queue, timeout);
}
