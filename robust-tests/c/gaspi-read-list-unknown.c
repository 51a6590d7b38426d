// robust: not known
// from: GASPI 17.1 §8.3, §8.4
// why: It is robust, for the notification is waited for; the reads are followed in one of their two orders.
#include <GASPI.h>
static volatile int *memory;
int main(void) {
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_rank_t me;
    gaspi_proc_rank(&me);
    gaspi_segment_create(0, 4 * sizeof(int), GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_pointer_t pointer;
    gaspi_segment_ptr(0, &pointer);
    memory = pointer;
    memory[0] = me + 1;
    memory[1] = me + 2;
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    if (me == 0) {
        gaspi_segment_id_t here[2] = {0, 0}, there[2] = {0, 0};
        gaspi_offset_t to[2] = {8, 12}, from[2] = {0, 4};
        gaspi_size_t sizes[2] = {4, 4};
        gaspi_read_list_notify(2, here, to, 1, there, from, sizes, 0, 3, 0, GASPI_BLOCK);
        gaspi_notification_id_t id;
        gaspi_notification_t old;
        gaspi_notify_waitsome(0, 3, 1, &id, GASPI_BLOCK);
        gaspi_notify_reset(0, id, &old);
        int seen = memory[2] + memory[3];
        (void)seen;
        gaspi_wait(0, GASPI_BLOCK);
    }
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
