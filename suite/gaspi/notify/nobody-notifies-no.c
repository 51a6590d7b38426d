/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "one rank waits for a notification that the other one posts before the barrier"} */
/* GASPI 17.1, 8.3.2. */
#include <GASPI.h>
#include <stdio.h>

int main(void)
{
    const gaspi_timeout_t wait = GASPI_BLOCK;
    gaspi_rank_t me;
    gaspi_notification_id_t id = 0;
    gaspi_notification_t old = 0;
    gaspi_proc_init(wait);
    gaspi_proc_rank(&me);
    gaspi_segment_create(0, 64, GASPI_GROUP_ALL, wait, GASPI_MEM_INITIALIZED);
    if (me == 0) {
        gaspi_notify_waitsome(0, 0, 1, &id, wait);
        gaspi_notify_reset(0, id, &old);
    }
    if (me == 1) {
        gaspi_notify(0, 0, 0, 1, 0, wait);
        gaspi_wait(0, wait);
    }

    gaspi_barrier(GASPI_GROUP_ALL, wait);

    printf("%d has %u\n", me, old);
    gaspi_proc_term(wait);
    return 0;
}
