// robust: no
// from: Test-and-set lock by compare-and-swap at process 0; locks/spin-gaspi17-no.pgas
// why: The lock may be released before the count is there: a wait completes the local side.
#include <GASPI.h>

struct memory {
    gaspi_atomic_value_t lock;
    long count;
    long mine;
};

#define OFFSET(member) ((gaspi_offset_t)__builtin_offsetof(struct memory, member))

int main(void) {
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_rank_t me, n;
    gaspi_proc_rank(&me);
    gaspi_proc_num(&n);
    (void)n;
    gaspi_segment_create(0, sizeof(struct memory), GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_pointer_t pointer;
    gaspi_segment_ptr(0, &pointer);
    struct memory *memory = pointer;
    gaspi_atomic_value_t old;
    do
        gaspi_atomic_compare_swap(0, OFFSET(lock), 0, 0, me + 1, &old, GASPI_BLOCK);
    while (old != 0);
    gaspi_read(0, OFFSET(mine), 0, 0, OFFSET(count), sizeof(long), 0, GASPI_BLOCK);
    gaspi_wait(0, GASPI_BLOCK);
    memory->mine++;
    gaspi_write(0, OFFSET(mine), 0, 0, OFFSET(count), sizeof(long), 0, GASPI_BLOCK);
    gaspi_wait(0, GASPI_BLOCK);
    gaspi_atomic_compare_swap(0, OFFSET(lock), 0, me + 1, 0, &old, GASPI_BLOCK);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
