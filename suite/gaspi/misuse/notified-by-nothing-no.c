/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a write notifies by 1"} */
/* GASPI 17.1, 8.4.2. */
#include <GASPI.h>
#include <stdio.h>

int main(void)
{
    gaspi_rank_t rank;
    gaspi_pointer_t memory;
    gaspi_notification_id_t first;
    gaspi_notification_t value;
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_proc_rank(&rank);
    gaspi_segment_create(7, 256, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_segment_ptr(7, &memory);
    double *cells = memory;
    cells[0] = rank + 0.5;
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);

    switch (rank) {
    case 0:
        gaspi_write_notify(7, 0, 1, 7, 128, sizeof(double), 12, 1, 2, GASPI_BLOCK);
        gaspi_wait(2, GASPI_BLOCK);
        break;
    case 1:
        if (gaspi_notify_waitsome(7, 12, 1, &first, GASPI_BLOCK) == GASPI_SUCCESS) {
            gaspi_notify_reset(7, first, &value);
            cells[1] = cells[16];
        }
        break;
    }
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    printf("%d\n", rank);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
