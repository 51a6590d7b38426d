// robust: no
// from: The same with the notifications in another queue; producer-consumer/gaspi-notify-other-queue-no.pgas
// why: A notification is ordered after the writes of its own queue only.
#include <GASPI.h>

#define CELLS 500

// One halo cell on each side; a notification for each.
enum { FROM_LEFT, FROM_RIGHT };

static void await(gaspi_notification_id_t which) {
    gaspi_notification_id_t id;
    gaspi_notification_t old;
    gaspi_notify_waitsome(0, which, 1, &id, GASPI_BLOCK);
    gaspi_notify_reset(0, id, &old);
}

int main(void) {
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_rank_t me, n;
    gaspi_proc_rank(&me);
    gaspi_proc_num(&n);
    gaspi_segment_create(0, (CELLS + 2) * sizeof(double), GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_pointer_t pointer;
    gaspi_segment_ptr(0, &pointer);
    double *cells = pointer;
    gaspi_size_t size = sizeof(double);
    int left = (me + n - 1) % n, right = (me + 1) % n;
    for (int step = 0; step < 2; step++) {
        gaspi_write(0, CELLS * size, right, 0, 0, size, 0, GASPI_BLOCK);
        gaspi_notify(0, right, FROM_LEFT, 1, 1, GASPI_BLOCK);
        gaspi_write(0, size, left, 0, (CELLS + 1) * size, size, 0, GASPI_BLOCK);
        gaspi_notify(0, left, FROM_RIGHT, 1, 1, GASPI_BLOCK);
        gaspi_wait(0, GASPI_BLOCK);
        await(FROM_LEFT);
        await(FROM_RIGHT);
        for (int i = 1; i <= CELLS; i++)
            cells[i] = (cells[i - 1] + cells[i + 1]) / 2;
        gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    }
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
