// robust: yes
// from: A write with a notification, and a message after it (GASPI 17.1 §8.3, §9)
// why: The data is there before its notification is.
#include <GASPI.h>

int main(void) {
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_rank_t me, from;
    gaspi_proc_rank(&me);
    gaspi_segment_create(0, 32, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_pointer_t base;
    gaspi_segment_ptr(0, &base);
    volatile long *data = (volatile long *)base;
    if (me == 0) {
        data[1] = 4;
        gaspi_write_notify(0, 8, 1, 0, 0, 8, 0, 1, 0, GASPI_BLOCK);
        gaspi_passive_send(0, 16, 1, 8, GASPI_BLOCK);
    } else if (me == 1) {
        gaspi_passive_receive(0, 24, &from, 8, GASPI_BLOCK);
        gaspi_notification_id_t id;
        gaspi_notify_waitsome(0, 0, 1, &id, GASPI_BLOCK);
        volatile long got = data[0];
        (void)got;
    }
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
