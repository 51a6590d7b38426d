/* {"RACE_KIND": "remote", "RACE_PAIR": ["gaspi_read@34", "STORE@39"], "NPROCS": 2, "DESCRIPTION": "both take a lock, in any order (here rank 1 first), and nothing orders the store after it"} */
/* GASPI 17.1, 10.2.3. A barrier under the lock would wait for the other rank, which waits for the lock. */
#include <GASPI.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    const gaspi_timeout_t wait = GASPI_BLOCK;
    gaspi_rank_t me, n, who = 0;
    gaspi_pointer_t here, other;
    gaspi_notification_id_t id = 0;
    gaspi_notification_t old = 0;
    gaspi_atomic_value_t was = 0;
    long seen = 0, sum = 0;
    gaspi_proc_init(wait);
    gaspi_proc_rank(&me);
    gaspi_proc_num(&n);
    gaspi_segment_create(0, 8192, GASPI_GROUP_ALL, wait, GASPI_MEM_INITIALIZED);
    gaspi_segment_create(1, 8192, GASPI_GROUP_ALL, wait, GASPI_MEM_INITIALIZED);
    gaspi_segment_ptr(0, &here);
    gaspi_segment_ptr(1, &other);
    long *x = here, *y = other;
    for (int i = 0; i < 1024; i++)
        x[i] = y[i] = 0;

    gaspi_barrier(GASPI_GROUP_ALL, wait);
    if (me == 0)
        usleep(50000);
    do
        gaspi_atomic_compare_swap(1, 4104, 0, 0, me + 1, &was, wait);
    while (was != 0);
    if (me == 0) {
        gaspi_read(1, 0, 1, 0, 512, 8, 0, wait);
        gaspi_wait(0, wait);
    }
    gaspi_atomic_compare_swap(1, 4104, 0, me + 1, 0, &was, wait);
    if (me == 1)
        x[64] = 6;
    for (gaspi_queue_id_t q = 0; q < 4; q++)
        gaspi_wait(q, wait);
    gaspi_barrier(GASPI_GROUP_ALL, wait);

    printf("%d of %d%s\n", me, n, seen + sum + y[1000] + old + who + id + (long)was == -1 ? "!" : "");
    gaspi_proc_term(wait);
    return 0;
}
