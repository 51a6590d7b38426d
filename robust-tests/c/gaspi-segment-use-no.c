// robust: no
// from: GASPI 17.1 §7.2, §8.4
// why: As gaspi-segment-use-yes, but the notification is in another queue: it may come first.
#include <GASPI.h>

static volatile int memory[4];

int main(void) {
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_rank_t me;
    gaspi_proc_rank(&me);
    gaspi_segment_use(0, (gaspi_pointer_t)memory, sizeof memory, GASPI_GROUP_ALL, GASPI_BLOCK, 0);
    if (me == 0) {
        memory[0] = 5;
        gaspi_write(0, 0, 1, 0, 8, 4, 0, GASPI_BLOCK);
        gaspi_notify(0, 1, 0, 1, 1, GASPI_BLOCK);
        gaspi_wait(0, GASPI_BLOCK);
    } else {
        gaspi_notification_id_t id;
        gaspi_notification_t old;
        gaspi_notify_waitsome(0, 0, 1, &id, GASPI_BLOCK);
        gaspi_notify_reset(0, id, &old);
        int seen = memory[2];
        (void)seen;
    }
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
