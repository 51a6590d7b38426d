// robust: yes
// from: an allreduce: each writes to all, with a notification
// why: A notification comes after the write of its call.
#include <GASPI.h>
int main(void) {
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_rank_t me, n;
    gaspi_proc_rank(&me);
    gaspi_proc_num(&n);
    gaspi_segment_create(0, 16 * sizeof(double), GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_pointer_t p;
    gaspi_segment_ptr(0, &p);
    double *mem = p;
    mem[0] = me;
    for (int r = 0; r < n; r++) {
        if (r == me) continue;
        gaspi_write_notify(0, 0, r, 0, (1 + me) * sizeof(double), sizeof(double), me, 1, 0, GASPI_BLOCK);
    }
    double sum = mem[0];
    for (int k = 0; k < n - 1; k++) {
        gaspi_notification_id_t id;
        gaspi_notification_t v;
        gaspi_notify_waitsome(0, 0, n, &id, GASPI_BLOCK);
        gaspi_notify_reset(0, id, &v);
        sum += mem[1 + id];
    }
    gaspi_wait(0, GASPI_BLOCK);
    gaspi_wait(1, GASPI_BLOCK);
    mem[0] = sum;
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    gaspi_proc_term(GASPI_BLOCK);
}
