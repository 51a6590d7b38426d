// robust: no
// from: GASPI 17.1 §8.4
// why: The wait returns with the notification of one read, and that of the other one is set after it, although that
// read was begun before.
#include <GASPI.h>

struct memory {
    int data, first, second;
};

#define OFFSET(member) ((gaspi_offset_t)__builtin_offsetof(struct memory, member))

int main(void) {
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_rank_t me;
    gaspi_proc_rank(&me);
    gaspi_segment_create(0, sizeof(struct memory), GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_pointer_t pointer;
    gaspi_segment_ptr(0, &pointer);
    volatile struct memory *memory = pointer;
    memory->data = me + 1;
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    if (me == 0) {
        gaspi_notification_id_t id;
        gaspi_read_notify(0, OFFSET(first), 1, 0, OFFSET(data), sizeof(int), 3, 0, GASPI_BLOCK);
        gaspi_read_notify(0, OFFSET(second), 1, 0, OFFSET(data), sizeof(int), 3, 0, GASPI_BLOCK);
        gaspi_notify_waitsome(0, 3, 1, &id, GASPI_BLOCK);
        int seen = memory->first;
        (void)seen;
        gaspi_wait(0, GASPI_BLOCK);
    }
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
