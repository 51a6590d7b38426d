/* A ring of processes exchanges the borders of their parts; a notification says that a border is there. */
#include <GASPI.h>
#include <stdio.h>

enum { CELLS = 8, STEPS = 4, CELL = sizeof(double) };

static void await(gaspi_notification_id_t number)
{
    gaspi_notification_id_t id;
    gaspi_notification_t value;
    gaspi_notify_waitsome(0, number, 1, &id, GASPI_BLOCK);
    gaspi_notify_reset(0, id, &value);
}

int main(void)
{
    gaspi_rank_t me, n;
    gaspi_pointer_t memory;
    double next[CELLS + 2];

    gaspi_proc_init(GASPI_BLOCK);
    gaspi_proc_rank(&me);
    gaspi_proc_num(&n);
    gaspi_segment_create(0, (CELLS + 2) * CELL, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_segment_ptr(0, &memory);
    double *u = memory;
    gaspi_rank_t left = (me + n - 1) % n, right = (me + 1) % n;
    for (int i = 0; i < CELLS + 2; i++)
        u[i] = me;
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);

    for (int step = 0; step < STEPS; step++) {
        gaspi_write_notify(0, 1 * CELL, left, 0, (CELLS + 1) * CELL, CELL, 0, 1, 0, GASPI_BLOCK);
        gaspi_write_notify(0, CELLS * CELL, right, 0, 0, CELL, 1, 1, 0, GASPI_BLOCK);
        await(0);
#ifndef FORGET
        await(1);
#endif
        for (int i = 1; i <= CELLS; i++)
            next[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
        /* The borders that are sent are read until the queue is complete. */
        gaspi_wait(0, GASPI_BLOCK);
        for (int i = 1; i <= CELLS; i++)
            u[i] = next[i];
        gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    }
    printf("%d: %g\n", me, u[1]);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
