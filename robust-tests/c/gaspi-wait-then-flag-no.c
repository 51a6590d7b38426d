// robust: no
// from: Producer and consumer with a flag after a wait; producer-consumer/gaspi17-wait-then-flag-no.pgas
// why: A wait says that the source may be used again, not that the data is there (GASPI 17.1 §8.5).
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
        memory->data[0] = 5;
        memory->one = 1;
        gaspi_write(0, OFFSET(data), 1, 0, OFFSET(data), sizeof(double), 0, GASPI_BLOCK);
        gaspi_wait(0, GASPI_BLOCK);
        gaspi_write(0, OFFSET(one), 1, 0, OFFSET(flag), sizeof(int), 1, GASPI_BLOCK);
        gaspi_wait(1, GASPI_BLOCK);
    } else if (me == 1) {
        volatile int *flag = &memory->flag;
        while (*flag == 0)
            ;
        volatile double got = memory->data[0];
        (void)got;
    }
    (void)n;
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
