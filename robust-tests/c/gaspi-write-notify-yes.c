// robust: yes
// from: Producer and consumer with a notified write; producer-consumer/gaspi17-write-notify-yes.pgas
// why: A notification does not overtake the writes before it in its queue.
#include <GASPI.h>

struct memory {
    double data[16];
    int flag;
    int one;
};

#define OFFSET(member) ((gaspi_offset_t)__builtin_offsetof(struct memory, member))

int main(void) {
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_rank_t me, n;
    gaspi_proc_rank(&me);
    gaspi_proc_num(&n);
    gaspi_segment_create(0, sizeof(struct memory), GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_pointer_t pointer;
    gaspi_segment_ptr(0, &pointer);
    struct memory *memory = pointer;
    if (me == 0) {
        for (int i = 0; i < 16; i++)
            memory->data[i] = 1;
        gaspi_write_notify(0, OFFSET(data), 1, 0, OFFSET(data), sizeof memory->data, 3, 1, 0, GASPI_BLOCK);
        gaspi_wait(0, GASPI_BLOCK);
    } else if (me == 1) {
        gaspi_notification_id_t id;
        gaspi_notification_t old;
        gaspi_notify_waitsome(0, 3, 1, &id, GASPI_BLOCK);
        gaspi_notify_reset(0, id, &old);
        double sum = 0;
        for (int i = 0; i < 16; i++)
            sum += memory->data[i];
    }
    (void)n;
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
