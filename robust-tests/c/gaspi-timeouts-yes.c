// robust: yes
// from: A write and a notification, and a target that looks now and then (GASPI 17.1 §3.3, §8.3)
// why: The notification comes after the data of its call, however often it is looked for.
#include <GASPI.h>

int main(void) {
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_rank_t me;
    gaspi_proc_rank(&me);
    // The reader has room for one value.
    gaspi_segment_create(0, me == 0 ? 16 : 8, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_pointer_t base;
    gaspi_segment_ptr(0, &base);
    if (me == 0) {
        while (gaspi_write_notify(0, 8, 1, 0, 0, 8, 0, 1, 0, GASPI_TEST) == GASPI_TIMEOUT)
            ;
        while (gaspi_wait(0, 1000) != GASPI_SUCCESS)
            ;
    } else if (me == 1) {
        gaspi_notification_id_t id;
        while (gaspi_notify_waitsome(0, 0, 1, &id, GASPI_TEST) == GASPI_TIMEOUT)
            ;
        volatile long got = *(volatile long *)base;
        (void)got;
    }
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
