// robust: no
// from: GASPI 17.1 §8.4
// why: A notification of oneself says nothing of a read before it: what is loaded after it may be older.
#include <GASPI.h>

struct memory {
    int data, copy;
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
        gaspi_notification_t old;
        gaspi_read(0, OFFSET(copy), 1, 0, OFFSET(data), sizeof(int), 0, GASPI_BLOCK);
        gaspi_notify(0, 0, 3, 1, 0, GASPI_BLOCK);
        gaspi_notify_waitsome(0, 3, 1, &id, GASPI_BLOCK);
        gaspi_notify_reset(0, id, &old);
        int seen = memory->copy;
        (void)seen;
        gaspi_wait(0, GASPI_BLOCK);
    }
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
