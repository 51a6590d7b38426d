// robust: no
// ranks: 3
// from: A write, and the barrier of a group after it (GASPI 17.1 §6, §11)
// why: A barrier completes nothing, and a wait for the queue only the local side.
#include <GASPI.h>

int main(void) {
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_rank_t me;
    gaspi_proc_rank(&me);
    gaspi_segment_create(0, 16, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_pointer_t base;
    gaspi_segment_ptr(0, &base);
    volatile long *data = (volatile long *)base;
    if (me != 1) {
        // Processes 0 and 2.
        gaspi_group_t ends;
        gaspi_group_create(&ends);
        gaspi_group_add(ends, 0);
        gaspi_group_add(ends, 2);
        gaspi_group_commit(ends, GASPI_BLOCK);
        if (me == 0) {
            gaspi_write(0, 8, 2, 0, 0, 8, 0, GASPI_BLOCK);
            gaspi_wait(0, GASPI_BLOCK);
        }
        gaspi_barrier(ends, GASPI_BLOCK);
        if (me == 2) {
            if (data[0] == 1)
                data[1] = 1;
        }
    }
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
