/* GASPI 17.1 §9: passive communication. */
#include "check.h"

int main(void) {
  gaspi_size_t most;
  gaspi_rank_t sender;
  gaspi_return_t code;
  unsigned char *data;
  int i, j, from[64] = {0};

  begin();
  OK(gaspi_passive_transfer_size_max(&most));
  OK(gaspi_segment_alloc(0, 2 * most, GASPI_MEM_INITIALIZED));
  data = memory(0);
  GIVES(GASPI_TIMEOUT, gaspi_passive_receive(0, 0, &sender, 8, GASPI_TEST));
  GIVES(GASPI_TIMEOUT, gaspi_passive_receive(0, 0, &sender, 8, 2));
  barrier();
  GIVES(GASPI_ERR_INV_COMMSIZE, gaspi_passive_send(0, 0, 0, most + 1, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_LOC_OFF, gaspi_passive_send(0, 2 * most, 0, 1, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_passive_send(0, 0, ranks, 1, GASPI_BLOCK));
  GIVES(GASPI_ERR_NULLPTR, gaspi_passive_receive(0, 0, NULL, 8, GASPI_BLOCK));
  if (ranks > 1) {
    if (me == 0) {
      /* Nobody receives: a send with a timeout ends by it. It goes on when it is called again. */
      barrier();
      for (i = 0; i < 30 * (ranks - 1); i++) {
        memset(data, 0xEE, most);
        do code = gaspi_passive_receive(0, 0, &sender, most, i % 3 == 0 ? GASPI_TEST : i % 3 == 1 ? 1 : GASPI_BLOCK);
        while (code == GASPI_TIMEOUT);
        OK(code);
        HOLDS(sender > 0 && sender < ranks);
        /* In order of the sender: 30 messages, of growing length. */
        j = from[sender]++;
        HOLDS(data[0] == sender && data[1] == j);
        HOLDS(j % 5 == 4 ? data[most - 1] == 0x77 : data[2 + j] == 0xEE);
      }
      barrier();
      /* Longer than there is room for. */
      GIVES(GASPI_ERR_INV_COMMSIZE, gaspi_passive_receive(0, 0, &sender, 8, GASPI_BLOCK));
      HOLDS(data[7] == 0x55 && sender == 1);
    } else {
      data[0] = (unsigned char)me;
      GIVES(GASPI_TIMEOUT, gaspi_passive_send(0, 0, 0, 2, 3));
      barrier();
      for (i = 0; i < 30; i++) {
        data[0] = (unsigned char)me, data[1] = (unsigned char)i;
        data[most - 1] = 0x77;
        do
          code = gaspi_passive_send(0, 0, 0, i % 5 == 4 ? most : 2 + (gaspi_size_t)i, i % 2 ? GASPI_TEST : GASPI_BLOCK);
        while (code == GASPI_TIMEOUT);
        OK(code);
        /* It was taken: the buffer is free. */
        memset(data, 0xEE, most);
      }
      barrier();
      if (me == 1) {
        memset(data, 0x55, 64);
        OK(gaspi_passive_send(0, 0, 0, 64, GASPI_BLOCK));
      }
    }
  }
  OK(gaspi_passive_queue_purge(GASPI_BLOCK));
  end();
  return 0;
}
