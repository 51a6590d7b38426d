/* The profiling interface of GASPI.h: each gaspi_X as pgaspi_X. Written by make-pgaspi. */
#ifndef FARSIDE_PGASPI_H
#define FARSIDE_PGASPI_H
#include "GASPI.h"
#ifdef __cplusplus
extern "C" {
#endif
gaspi_return_t pgaspi_config_get(gaspi_config_t *config);
gaspi_return_t pgaspi_config_set(gaspi_config_t config);
gaspi_return_t pgaspi_proc_init(gaspi_timeout_t timeout);
gaspi_return_t pgaspi_proc_term(gaspi_timeout_t timeout);
gaspi_return_t pgaspi_proc_rank(gaspi_rank_t *rank);
gaspi_return_t pgaspi_proc_num(gaspi_rank_t *number);
gaspi_return_t pgaspi_proc_kill(gaspi_rank_t rank, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_connect(gaspi_rank_t rank, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_disconnect(gaspi_rank_t rank, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_state_vec_get(gaspi_state_vector_t states);
gaspi_return_t pgaspi_group_create(gaspi_group_t *group);
gaspi_return_t pgaspi_group_add(gaspi_group_t group, gaspi_rank_t rank);
gaspi_return_t pgaspi_group_commit(gaspi_group_t group, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_group_delete(gaspi_group_t group);
gaspi_return_t pgaspi_group_num(gaspi_number_t *number);
gaspi_return_t pgaspi_group_size(gaspi_group_t group, gaspi_number_t *size);
gaspi_return_t pgaspi_group_ranks(gaspi_group_t group, gaspi_rank_t *ranks);
gaspi_return_t pgaspi_group_max(gaspi_number_t *number);
gaspi_return_t pgaspi_segment_alloc(gaspi_segment_id_t segment, gaspi_size_t size, gaspi_alloc_t alloc);
gaspi_return_t pgaspi_segment_register(gaspi_segment_id_t segment, gaspi_rank_t rank, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_segment_create(gaspi_segment_id_t segment, gaspi_size_t size, gaspi_group_t group,
                                    gaspi_timeout_t timeout, gaspi_alloc_t alloc);
gaspi_return_t pgaspi_segment_bind(gaspi_segment_id_t segment, gaspi_pointer_t pointer, gaspi_size_t size,
                                  gaspi_memory_description_t description);
gaspi_return_t pgaspi_segment_use(gaspi_segment_id_t segment, gaspi_pointer_t pointer, gaspi_size_t size,
                                 gaspi_group_t group, gaspi_timeout_t timeout,
                                 gaspi_memory_description_t description);
gaspi_return_t pgaspi_segment_delete(gaspi_segment_id_t segment);
gaspi_return_t pgaspi_segment_num(gaspi_number_t *number);
gaspi_return_t pgaspi_segment_list(gaspi_number_t number, gaspi_segment_id_t *segments);
gaspi_return_t pgaspi_segment_ptr(gaspi_segment_id_t segment, gaspi_pointer_t *pointer);
gaspi_return_t pgaspi_segment_max(gaspi_number_t *number);
gaspi_return_t pgaspi_write(gaspi_segment_id_t local, gaspi_offset_t local_offset, gaspi_rank_t rank,
                           gaspi_segment_id_t remote, gaspi_offset_t remote_offset, gaspi_size_t size,
                           gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_read(gaspi_segment_id_t local, gaspi_offset_t local_offset, gaspi_rank_t rank,
                          gaspi_segment_id_t remote, gaspi_offset_t remote_offset, gaspi_size_t size,
                          gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_wait(gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_notify(gaspi_segment_id_t remote, gaspi_rank_t rank, gaspi_notification_id_t id,
                            gaspi_notification_t value, gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_notify_waitsome(gaspi_segment_id_t local, gaspi_notification_id_t begin, gaspi_number_t number,
                                     gaspi_notification_id_t *first, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_notify_reset(gaspi_segment_id_t local, gaspi_notification_id_t id, gaspi_notification_t *old);
gaspi_return_t pgaspi_write_notify(gaspi_segment_id_t local, gaspi_offset_t local_offset, gaspi_rank_t rank,
                                  gaspi_segment_id_t remote, gaspi_offset_t remote_offset, gaspi_size_t size,
                                  gaspi_notification_id_t id, gaspi_notification_t value, gaspi_queue_id_t queue,
                                  gaspi_timeout_t timeout);
gaspi_return_t pgaspi_read_notify(gaspi_segment_id_t local, gaspi_offset_t local_offset, gaspi_rank_t rank,
                                 gaspi_segment_id_t remote, gaspi_offset_t remote_offset, gaspi_size_t size,
                                 gaspi_notification_id_t id, gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_write_list(gaspi_number_t number, gaspi_segment_id_t *local, gaspi_offset_t *local_offset,
                                gaspi_rank_t rank, gaspi_segment_id_t *remote, gaspi_offset_t *remote_offset,
                                gaspi_size_t *size, gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_read_list(gaspi_number_t number, gaspi_segment_id_t *local, gaspi_offset_t *local_offset,
                               gaspi_rank_t rank, gaspi_segment_id_t *remote, gaspi_offset_t *remote_offset,
                               gaspi_size_t *size, gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_write_list_notify(gaspi_number_t number, gaspi_segment_id_t *local,
                                       gaspi_offset_t *local_offset, gaspi_rank_t rank, gaspi_segment_id_t *remote,
                                       gaspi_offset_t *remote_offset, gaspi_size_t *size,
                                       gaspi_segment_id_t notified, gaspi_notification_id_t id,
                                       gaspi_notification_t value, gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_read_list_notify(gaspi_number_t number, gaspi_segment_id_t *local, gaspi_offset_t *local_offset,
                                      gaspi_rank_t rank, gaspi_segment_id_t *remote, gaspi_offset_t *remote_offset,
                                      gaspi_size_t *size, gaspi_segment_id_t notified, gaspi_notification_id_t id,
                                      gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_queue_create(gaspi_queue_id_t *queue, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_queue_delete(gaspi_queue_id_t queue);
gaspi_return_t pgaspi_queue_size(gaspi_queue_id_t queue, gaspi_number_t *size);
gaspi_return_t pgaspi_queue_purge(gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_queue_num(gaspi_number_t *number);
gaspi_return_t pgaspi_queue_size_max(gaspi_number_t *number);
gaspi_return_t pgaspi_queue_max(gaspi_number_t *number);
gaspi_return_t pgaspi_passive_send(gaspi_segment_id_t local, gaspi_offset_t offset, gaspi_rank_t rank,
                                  gaspi_size_t size, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_passive_receive(gaspi_segment_id_t local, gaspi_offset_t offset, gaspi_rank_t *sender,
                                     gaspi_size_t size, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_passive_queue_purge(gaspi_timeout_t timeout);
gaspi_return_t pgaspi_passive_transfer_size_max(gaspi_size_t *size);
gaspi_return_t pgaspi_atomic_fetch_add(gaspi_segment_id_t segment, gaspi_offset_t offset, gaspi_rank_t rank,
                                      gaspi_atomic_value_t value, gaspi_atomic_value_t *old,
                                      gaspi_timeout_t timeout);
gaspi_return_t pgaspi_atomic_compare_swap(gaspi_segment_id_t segment, gaspi_offset_t offset, gaspi_rank_t rank,
                                         gaspi_atomic_value_t comparator, gaspi_atomic_value_t value,
                                         gaspi_atomic_value_t *old, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_atomic_max(gaspi_atomic_value_t *value);
gaspi_return_t pgaspi_barrier(gaspi_group_t group, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_allreduce(gaspi_const_pointer_t send, gaspi_pointer_t receive, gaspi_number_t number,
                               gaspi_operation_t operation, gaspi_datatype_t datatype, gaspi_group_t group,
                               gaspi_timeout_t timeout);
gaspi_return_t pgaspi_allreduce_user(gaspi_const_pointer_t send, gaspi_pointer_t receive, gaspi_number_t number,
                                    gaspi_size_t element_size, gaspi_reduce_operation_t operation,
                                    gaspi_reduce_state_t state, gaspi_group_t group, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_allreduce_buf_size(gaspi_size_t *size);
gaspi_return_t pgaspi_allreduce_elem_max(gaspi_number_t *number);
gaspi_return_t pgaspi_transfer_size_max(gaspi_size_t *size);
gaspi_return_t pgaspi_notification_num(gaspi_number_t *number);
gaspi_return_t pgaspi_network_type(gaspi_network_t *network);
gaspi_return_t pgaspi_build_infrastructure(gaspi_number_t *build);
gaspi_return_t pgaspi_version(float *version);
gaspi_return_t pgaspi_time_get(gaspi_time_t *time);
gaspi_return_t pgaspi_time_ticks(gaspi_cycles_t *ticks);
gaspi_return_t pgaspi_print_error(gaspi_return_t code, gaspi_string_t *message);
gaspi_return_t pgaspi_statistic_counter_max(gaspi_statistic_counter_t *number);
gaspi_return_t pgaspi_statistic_counter_info(gaspi_statistic_counter_t counter, gaspi_statistic_argument_t *argument,
                                            gaspi_string_t *name, gaspi_string_t *description,
                                            gaspi_number_t *verbosity_level);
gaspi_return_t pgaspi_statistic_verbosity_level(gaspi_number_t level);
gaspi_return_t pgaspi_statistic_counter_get(gaspi_statistic_counter_t counter, gaspi_number_t argument,
                                           gaspi_statistic_value_t *value);
gaspi_return_t pgaspi_statistic_counter_reset(gaspi_statistic_counter_t counter);
gaspi_return_t pgaspi_pcontrol(gaspi_pointer_t argument);
gaspi_return_t pgaspi_initialized(gaspi_number_t *initialized);
gaspi_return_t pgaspi_proc_local_rank(gaspi_rank_t *rank);
gaspi_return_t pgaspi_proc_local_num(gaspi_rank_t *number);
gaspi_return_t pgaspi_proc_ping(gaspi_rank_t rank, gaspi_timeout_t timeout);
gaspi_return_t pgaspi_segment_size(gaspi_segment_id_t segment, gaspi_rank_t rank, gaspi_size_t *size);
gaspi_return_t pgaspi_segment_avail_local(gaspi_segment_id_t *segment);
gaspi_return_t pgaspi_rw_list_elem_max(gaspi_number_t *number);
gaspi_return_t pgaspi_transfer_size_min(gaspi_size_t *size);
gaspi_return_t pgaspi_passive_transfer_size_min(gaspi_size_t *size);
gaspi_return_t pgaspi_cpu_frequency(gaspi_float *frequency);
gaspi_string_t pgaspi_error_str(gaspi_return_t code);
gaspi_return_t pgaspi_print(const char *text);
gaspi_return_t pgaspi_print_to(gaspi_rank_t rank, const char *text);
#ifdef __cplusplus
}
#endif
#endif
