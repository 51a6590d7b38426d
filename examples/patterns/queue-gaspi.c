/* Process 0 gives numbers to process 1 through a queue of four slots; each slot has a notification on both sides. */
#include <GASPI.h>
#include <stdio.h>

enum { SLOTS = 4, ITEMS = 6 };

static void await(gaspi_notification_id_t number)
{
    gaspi_notification_id_t id;
    gaspi_notification_t value;
    gaspi_notify_waitsome(0, number, 1, &id, GASPI_BLOCK);
    gaspi_notify_reset(0, id, &value);
}

int main(void)
{
    gaspi_rank_t me;
    gaspi_pointer_t memory;
    long sum = 0;

    gaspi_proc_init(GASPI_BLOCK);
    gaspi_proc_rank(&me);
    gaspi_segment_create(0, SLOTS * 8, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_segment_ptr(0, &memory);
    long *slots = memory;

    for (int i = 0; i < ITEMS; i++) {
        int slot = i % SLOTS;
        if (me == 0) {
            if (i >= SLOTS) {
#ifndef FORGET
                await(slot); /* process 1 has read it */
#endif
                gaspi_wait(0, GASPI_BLOCK);
            }
            slots[slot] = i + 1;
            gaspi_write_notify(0, slot * 8, 1, 0, slot * 8, 8, slot, 1, 0, GASPI_BLOCK);
        } else if (me == 1) {
            await(slot);
            sum += slots[slot];
            gaspi_notify(0, 0, slot, 1, 0, GASPI_BLOCK);
        }
    }
    gaspi_wait(0, GASPI_BLOCK);
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    if (me == 1)
        printf("%ld\n", sum);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
