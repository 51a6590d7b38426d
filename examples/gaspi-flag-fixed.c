/* gaspi-flag.c with a notification after the values, for which the second rank waits. */
#include <GASPI.h>
#include <stdio.h>

int main(void)
{
    gaspi_rank_t me;
    gaspi_pointer_t memory;
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_proc_rank(&me);
    gaspi_segment_create(0, 4096, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_segment_ptr(0, &memory);
    double *line = memory;
    if (me == 0) {
        for (int i = 0; i < 8; i++)
            line[i] = i + 1;
        gaspi_write(0, 0, 1, 0, 1024, 8 * sizeof(double), 0, GASPI_BLOCK);
        gaspi_notify(0, 1, 0, 1, 0, GASPI_BLOCK);
        gaspi_wait(0, GASPI_BLOCK);
    }
    if (me == 1) {
        gaspi_notification_id_t id;
        gaspi_notification_t value;
        double sum = 0;
        gaspi_notify_waitsome(0, 0, 1, &id, GASPI_BLOCK);
        gaspi_notify_reset(0, id, &value);
        for (int i = 0; i < 8; i++)
            sum += line[128 + i];
        printf("sum %g\n", sum);
    }
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
