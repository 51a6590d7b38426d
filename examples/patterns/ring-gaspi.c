/* A token goes round: a write with notification brings it, and whoever has it waits for the notification first. */
#include <GASPI.h>
#include <stdio.h>

int main(void)
{
    gaspi_rank_t me, n;
    gaspi_pointer_t memory;

    gaspi_proc_init(GASPI_BLOCK);
    gaspi_proc_rank(&me);
    gaspi_proc_num(&n);
    gaspi_segment_create(0, 2 * sizeof(long), GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_segment_ptr(0, &memory);
    long *token = memory, *mine = token + 1;

    *mine = me;
    if (me != 0) {
#ifndef FORGET
        gaspi_notification_id_t id;
        gaspi_notification_t value;
        gaspi_notify_waitsome(0, 0, 1, &id, GASPI_BLOCK);
        gaspi_notify_reset(0, id, &value);
#endif
        *mine += *token;
    }
    if (me != n - 1) {
        gaspi_write_notify(0, sizeof(long), me + 1, 0, 0, sizeof(long), 0, 1, 0, GASPI_BLOCK);
        gaspi_wait(0, GASPI_BLOCK);
    }
    printf("%d: %ld\n", me, *mine);
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
