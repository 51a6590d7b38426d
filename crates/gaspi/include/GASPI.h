/* GASPI 17.1 for C and C++: the header of libfarside_gaspi.so.
 *
 * Widths of types and numbers of constants are those of GPI-2 1.6. Each function is described in the section of the
 * standard that stands beside it; what is left open there, and what GPI-2 adds, is described here.
 *
 * Functions return GASPI_SUCCESS, GASPI_TIMEOUT (call again), GASPI_QUEUE_FULL (call gaspi_wait), GASPI_ERROR (look at
 * gaspi_state_vec_get), or a GASPI_ERR_ that says which argument is wrong: then nothing was done.
 */
#ifndef FARSIDE_GASPI_H
#define FARSIDE_GASPI_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef char gaspi_char;
typedef unsigned char gaspi_uchar;
typedef short gaspi_short;
typedef unsigned short gaspi_ushort;
typedef int gaspi_int;
typedef unsigned int gaspi_uint;
typedef long gaspi_long;
typedef unsigned long gaspi_ulong;
typedef float gaspi_float;
typedef double gaspi_double;

typedef unsigned short gaspi_rank_t;
typedef unsigned char gaspi_segment_id_t;
typedef unsigned char gaspi_queue_id_t;
typedef unsigned char gaspi_group_t;
typedef unsigned long gaspi_offset_t; /* bytes */
typedef unsigned long gaspi_size_t; /* bytes */
typedef unsigned long gaspi_timeout_t; /* milliseconds */
typedef unsigned long gaspi_atomic_value_t;
typedef unsigned long gaspi_cycles_t;
typedef unsigned int gaspi_notification_id_t;
typedef unsigned int gaspi_notification_t;
typedef unsigned int gaspi_number_t;
typedef unsigned int gaspi_statistic_counter_t;
typedef unsigned long gaspi_statistic_value_t;
typedef void *gaspi_pointer_t;
typedef const void *gaspi_const_pointer_t;
typedef void *gaspi_reduce_state_t;
typedef int gaspi_memory_description_t; /* not used */
typedef float gaspi_time_t; /* milliseconds */
typedef const char *gaspi_string_t; /* not to be freed */

typedef enum {
  GASPI_ERROR = -1,
  GASPI_SUCCESS = 0,
  GASPI_TIMEOUT = 1,
  GASPI_ERR_EMFILE = 2,
  GASPI_ERR_ENV = 3,
  GASPI_ERR_CONFIG = 5,
  GASPI_ERR_NOINIT = 6,
  GASPI_ERR_INITED = 7,
  GASPI_ERR_NULLPTR = 8,
  GASPI_ERR_INV_SEGSIZE = 9,
  GASPI_ERR_INV_SEG = 10,
  GASPI_ERR_INV_GROUP = 11,
  GASPI_ERR_INV_RANK = 12,
  GASPI_ERR_INV_QUEUE = 13,
  GASPI_ERR_INV_LOC_OFF = 14,
  GASPI_ERR_INV_REM_OFF = 15,
  GASPI_ERR_INV_COMMSIZE = 16,
  GASPI_ERR_INV_NOTIF_VAL = 17,
  GASPI_ERR_INV_NOTIF_ID = 18,
  GASPI_ERR_INV_NUM = 19,
  GASPI_ERR_INV_SIZE = 20,
  GASPI_ERR_MANY_SEG = 21,
  GASPI_ERR_MANY_GRP = 22,
  GASPI_QUEUE_FULL = 23,
  GASPI_ERR_UNALIGN_OFF = 24,
  GASPI_ERR_ACTIVE_COLL = 25,
  GASPI_ERR_DEVICE = 26,
  GASPI_ERR_MEMALLOC = 28
} gaspi_return_t;

#define GASPI_BLOCK ((gaspi_timeout_t)~0UL)
#define GASPI_TEST ((gaspi_timeout_t)0)
#define GASPI_GROUP_ALL ((gaspi_group_t)0)

/* Memory is filled with 0 either way. */
typedef enum { GASPI_MEM_UNINITIALIZED = 0, GASPI_MEM_INITIALIZED = 1 } gaspi_alloc_t;
#define GASPI_ALLOC_DEFAULT GASPI_MEM_UNINITIALIZED

typedef enum { GASPI_OP_MIN = 0, GASPI_OP_MAX = 1, GASPI_OP_SUM = 2 } gaspi_operation_t;

typedef enum {
  GASPI_TYPE_INT = 0,
  GASPI_TYPE_UINT = 1,
  GASPI_TYPE_FLOAT = 2,
  GASPI_TYPE_DOUBLE = 3,
  GASPI_TYPE_LONG = 4,
  GASPI_TYPE_ULONG = 5
} gaspi_datatype_t;

typedef enum { GASPI_STATE_HEALTHY = 0, GASPI_STATE_CORRUPT = 1 } gaspi_state_t;
typedef gaspi_state_t *gaspi_state_vector_t; /* one for each rank */

/* In a configuration: whatever suits; the environment variable FARSIDE_TRANSPORT chooses. */
typedef enum {
  GASPI_NETWORK_DEFAULT = 0,
  GASPI_NETWORK_SHARED_MEMORY = 100,
  GASPI_NETWORK_LIBFABRIC = 101
} gaspi_network_t;

typedef enum { GASPI_TOPOLOGY_NONE = 0, GASPI_TOPOLOGY_STATIC = 1, GASPI_TOPOLOGY_DYNAMIC = 2 } gaspi_topology_t;

typedef enum { GASPI_STATISTIC_ARGUMENT_NONE = 0 } gaspi_statistic_argument_t;

typedef struct {
  gaspi_network_t network;
  gaspi_topology_t build_infrastructure; /* kept; communication is prepared when it is first needed */
  gaspi_uint logger; /* kept */
  gaspi_number_t queue_num; /* queues at the start, at most 16 */
  gaspi_number_t queue_size_max; /* requests of a queue between two gaspi_wait; a notification counts as one */
  gaspi_number_t group_max; /* at most 32 */
  gaspi_number_t segment_max; /* at most 255 */
  gaspi_number_t notification_num; /* of a segment, at most 65536 */
  gaspi_number_t passive_queue_size_max; /* kept */
  gaspi_number_t allreduce_elem_max; /* at most 255 */
  gaspi_number_t rw_list_elem_max; /* at most 255 */
  gaspi_size_t transfer_size_max; /* at most 1 GiB */
  gaspi_size_t passive_transfer_size_max; /* at most 65535 */
  gaspi_size_t allreduce_buf_size; /* at most 8192 */
  void *user_defined; /* kept */
} gaspi_config_t;

/* left, right, result, state, number of elements, bytes of an element, timeout */
typedef gaspi_return_t (*gaspi_reduce_operation_t)(gaspi_pointer_t, gaspi_pointer_t, gaspi_pointer_t,
                                                   gaspi_reduce_state_t, gaspi_number_t, gaspi_size_t,
                                                   gaspi_timeout_t);

/* 5 Execution model */
gaspi_return_t gaspi_config_get(gaspi_config_t *config);
gaspi_return_t gaspi_config_set(gaspi_config_t config);
gaspi_return_t gaspi_proc_init(gaspi_timeout_t timeout);
gaspi_return_t gaspi_proc_term(gaspi_timeout_t timeout);
gaspi_return_t gaspi_proc_rank(gaspi_rank_t *rank);
gaspi_return_t gaspi_proc_num(gaspi_rank_t *number);
gaspi_return_t gaspi_proc_kill(gaspi_rank_t rank, gaspi_timeout_t timeout);
gaspi_return_t gaspi_connect(gaspi_rank_t rank, gaspi_timeout_t timeout);
gaspi_return_t gaspi_disconnect(gaspi_rank_t rank, gaspi_timeout_t timeout);
gaspi_return_t gaspi_state_vec_get(gaspi_state_vector_t states);

/* 6 Groups */
gaspi_return_t gaspi_group_create(gaspi_group_t *group);
gaspi_return_t gaspi_group_add(gaspi_group_t group, gaspi_rank_t rank);
gaspi_return_t gaspi_group_commit(gaspi_group_t group, gaspi_timeout_t timeout);
gaspi_return_t gaspi_group_delete(gaspi_group_t group);
gaspi_return_t gaspi_group_num(gaspi_number_t *number);
gaspi_return_t gaspi_group_size(gaspi_group_t group, gaspi_number_t *size);
gaspi_return_t gaspi_group_ranks(gaspi_group_t group, gaspi_rank_t *ranks);
gaspi_return_t gaspi_group_max(gaspi_number_t *number);

/* 7 Segments */
gaspi_return_t gaspi_segment_alloc(gaspi_segment_id_t segment, gaspi_size_t size, gaspi_alloc_t alloc);
gaspi_return_t gaspi_segment_register(gaspi_segment_id_t segment, gaspi_rank_t rank, gaspi_timeout_t timeout);
gaspi_return_t gaspi_segment_create(gaspi_segment_id_t segment, gaspi_size_t size, gaspi_group_t group,
                                    gaspi_timeout_t timeout, gaspi_alloc_t alloc);
gaspi_return_t gaspi_segment_bind(gaspi_segment_id_t segment, gaspi_pointer_t pointer, gaspi_size_t size,
                                  gaspi_memory_description_t description);
gaspi_return_t gaspi_segment_use(gaspi_segment_id_t segment, gaspi_pointer_t pointer, gaspi_size_t size,
                                 gaspi_group_t group, gaspi_timeout_t timeout,
                                 gaspi_memory_description_t description);
gaspi_return_t gaspi_segment_delete(gaspi_segment_id_t segment);
gaspi_return_t gaspi_segment_num(gaspi_number_t *number);
gaspi_return_t gaspi_segment_list(gaspi_number_t number, gaspi_segment_id_t *segments);
gaspi_return_t gaspi_segment_ptr(gaspi_segment_id_t segment, gaspi_pointer_t *pointer);
gaspi_return_t gaspi_segment_max(gaspi_number_t *number);

/* 8 One-sided communication */
gaspi_return_t gaspi_write(gaspi_segment_id_t local, gaspi_offset_t local_offset, gaspi_rank_t rank,
                           gaspi_segment_id_t remote, gaspi_offset_t remote_offset, gaspi_size_t size,
                           gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t gaspi_read(gaspi_segment_id_t local, gaspi_offset_t local_offset, gaspi_rank_t rank,
                          gaspi_segment_id_t remote, gaspi_offset_t remote_offset, gaspi_size_t size,
                          gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t gaspi_wait(gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t gaspi_notify(gaspi_segment_id_t remote, gaspi_rank_t rank, gaspi_notification_id_t id,
                            gaspi_notification_t value, gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t gaspi_notify_waitsome(gaspi_segment_id_t local, gaspi_notification_id_t begin, gaspi_number_t number,
                                     gaspi_notification_id_t *first, gaspi_timeout_t timeout);
gaspi_return_t gaspi_notify_reset(gaspi_segment_id_t local, gaspi_notification_id_t id, gaspi_notification_t *old);
gaspi_return_t gaspi_write_notify(gaspi_segment_id_t local, gaspi_offset_t local_offset, gaspi_rank_t rank,
                                  gaspi_segment_id_t remote, gaspi_offset_t remote_offset, gaspi_size_t size,
                                  gaspi_notification_id_t id, gaspi_notification_t value, gaspi_queue_id_t queue,
                                  gaspi_timeout_t timeout);
gaspi_return_t gaspi_read_notify(gaspi_segment_id_t local, gaspi_offset_t local_offset, gaspi_rank_t rank,
                                 gaspi_segment_id_t remote, gaspi_offset_t remote_offset, gaspi_size_t size,
                                 gaspi_notification_id_t id, gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t gaspi_write_list(gaspi_number_t number, gaspi_segment_id_t *local, gaspi_offset_t *local_offset,
                                gaspi_rank_t rank, gaspi_segment_id_t *remote, gaspi_offset_t *remote_offset,
                                gaspi_size_t *size, gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t gaspi_read_list(gaspi_number_t number, gaspi_segment_id_t *local, gaspi_offset_t *local_offset,
                               gaspi_rank_t rank, gaspi_segment_id_t *remote, gaspi_offset_t *remote_offset,
                               gaspi_size_t *size, gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t gaspi_write_list_notify(gaspi_number_t number, gaspi_segment_id_t *local,
                                       gaspi_offset_t *local_offset, gaspi_rank_t rank, gaspi_segment_id_t *remote,
                                       gaspi_offset_t *remote_offset, gaspi_size_t *size,
                                       gaspi_segment_id_t notified, gaspi_notification_id_t id,
                                       gaspi_notification_t value, gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t gaspi_read_list_notify(gaspi_number_t number, gaspi_segment_id_t *local, gaspi_offset_t *local_offset,
                                      gaspi_rank_t rank, gaspi_segment_id_t *remote, gaspi_offset_t *remote_offset,
                                      gaspi_size_t *size, gaspi_segment_id_t notified, gaspi_notification_id_t id,
                                      gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t gaspi_queue_create(gaspi_queue_id_t *queue, gaspi_timeout_t timeout);
gaspi_return_t gaspi_queue_delete(gaspi_queue_id_t queue);
gaspi_return_t gaspi_queue_size(gaspi_queue_id_t queue, gaspi_number_t *size);
gaspi_return_t gaspi_queue_purge(gaspi_queue_id_t queue, gaspi_timeout_t timeout);
gaspi_return_t gaspi_queue_num(gaspi_number_t *number);
gaspi_return_t gaspi_queue_size_max(gaspi_number_t *number);
gaspi_return_t gaspi_queue_max(gaspi_number_t *number);

/* 9 Passive communication */
gaspi_return_t gaspi_passive_send(gaspi_segment_id_t local, gaspi_offset_t offset, gaspi_rank_t rank,
                                  gaspi_size_t size, gaspi_timeout_t timeout);
/* What is longer than size is cut, and GASPI_ERR_INV_COMMSIZE is returned. */
gaspi_return_t gaspi_passive_receive(gaspi_segment_id_t local, gaspi_offset_t offset, gaspi_rank_t *sender,
                                     gaspi_size_t size, gaspi_timeout_t timeout);
gaspi_return_t gaspi_passive_queue_purge(gaspi_timeout_t timeout);
gaspi_return_t gaspi_passive_transfer_size_max(gaspi_size_t *size);

/* 10 Global atomics */
gaspi_return_t gaspi_atomic_fetch_add(gaspi_segment_id_t segment, gaspi_offset_t offset, gaspi_rank_t rank,
                                      gaspi_atomic_value_t value, gaspi_atomic_value_t *old,
                                      gaspi_timeout_t timeout);
gaspi_return_t gaspi_atomic_compare_swap(gaspi_segment_id_t segment, gaspi_offset_t offset, gaspi_rank_t rank,
                                         gaspi_atomic_value_t comparator, gaspi_atomic_value_t value,
                                         gaspi_atomic_value_t *old, gaspi_timeout_t timeout);
gaspi_return_t gaspi_atomic_max(gaspi_atomic_value_t *value);

/* 11 Collective communication */
gaspi_return_t gaspi_barrier(gaspi_group_t group, gaspi_timeout_t timeout);
gaspi_return_t gaspi_allreduce(gaspi_const_pointer_t send, gaspi_pointer_t receive, gaspi_number_t number,
                               gaspi_operation_t operation, gaspi_datatype_t datatype, gaspi_group_t group,
                               gaspi_timeout_t timeout);
gaspi_return_t gaspi_allreduce_user(gaspi_const_pointer_t send, gaspi_pointer_t receive, gaspi_number_t number,
                                    gaspi_size_t element_size, gaspi_reduce_operation_t operation,
                                    gaspi_reduce_state_t state, gaspi_group_t group, gaspi_timeout_t timeout);
gaspi_return_t gaspi_allreduce_buf_size(gaspi_size_t *size);
gaspi_return_t gaspi_allreduce_elem_max(gaspi_number_t *number);

/* 12 to 14 */
gaspi_return_t gaspi_transfer_size_max(gaspi_size_t *size);
gaspi_return_t gaspi_notification_num(gaspi_number_t *number);
gaspi_return_t gaspi_network_type(gaspi_network_t *network);
gaspi_return_t gaspi_build_infrastructure(gaspi_number_t *build);
gaspi_return_t gaspi_version(float *version);
gaspi_return_t gaspi_time_get(gaspi_time_t *time);
gaspi_return_t gaspi_time_ticks(gaspi_cycles_t *ticks);
gaspi_return_t gaspi_print_error(gaspi_return_t code, gaspi_string_t *message);
gaspi_return_t gaspi_statistic_counter_max(gaspi_statistic_counter_t *number);
gaspi_return_t gaspi_statistic_counter_info(gaspi_statistic_counter_t counter, gaspi_statistic_argument_t *argument,
                                            gaspi_string_t *name, gaspi_string_t *description,
                                            gaspi_number_t *verbosity_level);
gaspi_return_t gaspi_statistic_verbosity_level(gaspi_number_t level);
gaspi_return_t gaspi_statistic_counter_get(gaspi_statistic_counter_t counter, gaspi_number_t argument,
                                           gaspi_statistic_value_t *value);
gaspi_return_t gaspi_statistic_counter_reset(gaspi_statistic_counter_t counter);
gaspi_return_t gaspi_pcontrol(gaspi_pointer_t argument);

/* As in GPI-2 */
gaspi_return_t gaspi_initialized(gaspi_number_t *initialized);
gaspi_return_t gaspi_proc_local_rank(gaspi_rank_t *rank);
gaspi_return_t gaspi_proc_local_num(gaspi_rank_t *number);
gaspi_return_t gaspi_proc_ping(gaspi_rank_t rank, gaspi_timeout_t timeout);
gaspi_return_t gaspi_segment_size(gaspi_segment_id_t segment, gaspi_rank_t rank, gaspi_size_t *size);
gaspi_return_t gaspi_segment_avail_local(gaspi_segment_id_t *segment);
gaspi_return_t gaspi_rw_list_elem_max(gaspi_number_t *number);
gaspi_return_t gaspi_transfer_size_min(gaspi_size_t *size);
gaspi_return_t gaspi_passive_transfer_size_min(gaspi_size_t *size);
/* Of the clock of gaspi_time_ticks, in MHz. */
gaspi_return_t gaspi_cpu_frequency(gaspi_float *frequency);
gaspi_string_t gaspi_error_str(gaspi_return_t code);

/* Of this library: prints a text with the rank before it. gaspi_printf is made of it. */
gaspi_return_t gaspi_print(const char *text);
gaspi_return_t gaspi_print_to(gaspi_rank_t rank, const char *text);

#if defined(__GNUC__)
#define FARSIDE_GASPI_FORMAT(text, values) __attribute__((format(printf, text, values), unused))
#else
#define FARSIDE_GASPI_FORMAT(text, values)
#endif

/* A formatted text in memory to be freed, or NULL. */
static inline char *farside_gaspi_format(const char *format, va_list values) {
  va_list again;
  char *text;
  int length;
  va_copy(again, values);
  length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) return NULL;
  text = (char *)malloc((size_t)length + 1);
  if (text) vsnprintf(text, (size_t)length + 1, format, values);
  return text;
}

/* Prints with the rank before it. */
FARSIDE_GASPI_FORMAT(1, 2) static inline void gaspi_printf(const char *format, ...) {
  va_list values;
  char *text;
  va_start(values, format);
  text = farside_gaspi_format(format, values);
  va_end(values);
  if (text) gaspi_print(text);
  free(text);
}

/* Prints at one rank only. */
FARSIDE_GASPI_FORMAT(2, 3) static inline void gaspi_printf_to(gaspi_rank_t rank, const char *format, ...) {
  va_list values;
  char *text;
  va_start(values, format);
  text = farside_gaspi_format(format, values);
  va_end(values);
  if (text) gaspi_print_to(rank, text);
  free(text);
}

#ifdef __cplusplus
}
#endif

#endif
