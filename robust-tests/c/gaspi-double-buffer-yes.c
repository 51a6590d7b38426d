// robust: yes
// why: Two buffers in turn, each written with its notification; the source is written again after a wait for it.
#include <GASPI.h>

enum { ROUNDS = 3 };

int main(void) {
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_rank_t me;
    gaspi_proc_rank(&me);
    gaspi_segment_create(0, 3 * sizeof(int), GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_pointer_t pointer;
    gaspi_segment_ptr(0, &pointer);
    volatile int *memory = pointer;
    gaspi_notification_id_t id;
    gaspi_notification_t old;
    for (int round = 0; round < ROUNDS; round++) {
        int slot = round % 2;
        if (me == 0) {
            if (round > 1) {
                gaspi_notify_waitsome(0, 2 + slot, 1, &id, GASPI_BLOCK);
                gaspi_notify_reset(0, id, &old);
            }
            memory[2] = round + 1;
            gaspi_write_notify(0, 2 * sizeof(int), 1, 0, slot * sizeof(int), sizeof(int), slot, 1, 0, GASPI_BLOCK);
            gaspi_wait(0, GASPI_BLOCK);
        } else {
            gaspi_notify_waitsome(0, slot, 1, &id, GASPI_BLOCK);
            gaspi_notify_reset(0, id, &old);
            int seen = memory[slot];
            (void)seen;
            gaspi_notify(0, 0, 2 + slot, 1, 0, GASPI_BLOCK);
        }
    }
    gaspi_wait(0, GASPI_BLOCK);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
