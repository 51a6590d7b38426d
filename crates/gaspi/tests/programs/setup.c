/* GASPI 17.1 §5, §12 to §14: configuration, beginning and end, states, limits. */
#include "check.h"

int main(void) {
  gaspi_config_t config, changed;
  gaspi_number_t number;
  gaspi_rank_t rank;
  gaspi_size_t size;
  gaspi_atomic_value_t most;
  gaspi_state_t states[64];
  gaspi_string_t text, more;
  gaspi_statistic_argument_t argument;
  gaspi_statistic_value_t value;
  gaspi_time_t early, late;
  gaspi_cycles_t first, second;
  gaspi_network_t network;
  float version, frequency;
  int i;

  OK(gaspi_initialized(&number));
  HOLDS(number == 0);
  GIVES(GASPI_ERR_NOINIT, gaspi_proc_rank(&rank));
  GIVES(GASPI_ERR_NOINIT, gaspi_proc_num(&rank));
  GIVES(GASPI_ERR_NOINIT, gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  GIVES(GASPI_ERR_NOINIT, gaspi_write(0, 0, 0, 0, 0, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_NOINIT, gaspi_proc_term(GASPI_BLOCK));
  GIVES(GASPI_ERR_NULLPTR, gaspi_config_get(NULL));

  OK(gaspi_config_get(&config));
  changed = config;
  changed.queue_num = 3;
  changed.queue_size_max = 64;
  changed.notification_num = 128;
  OK(gaspi_config_set(changed));
  changed.queue_num = 99;
  GIVES(GASPI_ERR_CONFIG, gaspi_config_set(changed));

  begin();
  GIVES(GASPI_ERR_INITED, gaspi_proc_init(GASPI_BLOCK));
  GIVES(GASPI_ERR_INITED, gaspi_config_set(config));
  OK(gaspi_initialized(&number));
  HOLDS(number == 1);
  HOLDS(me == atoi(getenv("FARSIDE_RANK")) && ranks == atoi(getenv("FARSIDE_SIZE")));
  OK(gaspi_proc_local_rank(&rank));
  HOLDS(rank == me);
  OK(gaspi_proc_local_num(&rank));
  HOLDS(rank == ranks);

  OK(gaspi_queue_num(&number));
  HOLDS(number == 3);
  OK(gaspi_queue_size_max(&number));
  HOLDS(number == 64);
  OK(gaspi_queue_max(&number));
  HOLDS(number == 16);
  OK(gaspi_notification_num(&number));
  HOLDS(number == 128);
  OK(gaspi_segment_max(&number));
  HOLDS(number == 255);
  OK(gaspi_group_max(&number));
  HOLDS(number == 32);
  OK(gaspi_rw_list_elem_max(&number));
  HOLDS(number == 255);
  OK(gaspi_allreduce_elem_max(&number));
  HOLDS(number == 255);
  OK(gaspi_allreduce_buf_size(&size));
  HOLDS(size == 8192);
  OK(gaspi_transfer_size_max(&size));
  HOLDS(size == 1UL << 30);
  OK(gaspi_transfer_size_min(&size));
  HOLDS(size == 1);
  OK(gaspi_passive_transfer_size_max(&size));
  HOLDS(size == 65535);
  OK(gaspi_passive_transfer_size_min(&size));
  OK(gaspi_atomic_max(&most));
  HOLDS(most == 0xFFFFFFFFFFFFFFFFUL);
  OK(gaspi_network_type(&network));
  HOLDS(network == (getenv("FARSIDE_TRANSPORT")[0] == 's' ? GASPI_NETWORK_SHARED_MEMORY : GASPI_NETWORK_LIBFABRIC));
  OK(gaspi_build_infrastructure(&number));
  OK(gaspi_version(&version));
  HOLDS(version > 17.0f && version < 17.2f);
  OK(gaspi_cpu_frequency(&frequency));
  HOLDS(frequency > 0);

  for (i = 0; i < ranks; i++) {
    OK(gaspi_connect((gaspi_rank_t)i, GASPI_BLOCK));
    OK(gaspi_proc_ping((gaspi_rank_t)i, GASPI_BLOCK));
    OK(gaspi_disconnect((gaspi_rank_t)i, GASPI_BLOCK));
  }
  GIVES(GASPI_ERR_INV_RANK, gaspi_connect(ranks, GASPI_BLOCK));
  OK(gaspi_state_vec_get(states));
  for (i = 0; i < ranks; i++) HOLDS(states[i] == GASPI_STATE_HEALTHY);

  OK(gaspi_time_get(&early));
  OK(gaspi_time_ticks(&first));
  do OK(gaspi_time_get(&late));
  while (late <= early + 1);
  OK(gaspi_time_ticks(&second));
  /* A millisecond, by both. */
  HOLDS((double)(second - first) / frequency > 900);

  OK(gaspi_print_error(GASPI_TIMEOUT, &text));
  HOLDS(strcmp(text, "timeout") == 0 && strcmp(gaspi_error_str(GASPI_TIMEOUT), "timeout") == 0);
  HOLDS(strcmp(gaspi_error_str((gaspi_return_t)-77), gaspi_error_str(GASPI_SUCCESS)) != 0);
  OK(gaspi_statistic_counter_max(&number));
  for (i = 0; i < (int)number; i++) {
    OK(gaspi_statistic_counter_info((gaspi_statistic_counter_t)i, &argument, &text, &more, &number));
    HOLDS(argument == GASPI_STATISTIC_ARGUMENT_NONE && *text && *more);
    OK(gaspi_statistic_counter_get((gaspi_statistic_counter_t)i, 0, &value));
    HOLDS(value == 0);
    OK(gaspi_statistic_counter_max(&number));
  }
  GIVES(GASPI_ERR_INV_NUM, gaspi_statistic_counter_get(number, 0, &value));
  OK(gaspi_statistic_verbosity_level(1));
  OK(gaspi_pcontrol(NULL));
  gaspi_printf("of %d ranks\n", ranks);
  gaspi_printf_to(0, "rank 0 only\n");

  /* Both names are one function. */
  OK(pgaspi_proc_rank(&rank));
  HOLDS(rank == me);
  end();
  OK(gaspi_initialized(&number));
  HOLDS(number == 0);
  GIVES(GASPI_ERR_NOINIT, gaspi_proc_rank(&rank));
  return 0;
}
