/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a whole segment is copied"} */
/* GASPI 17.1, 8.2.1. */
#include <GASPI.h>
#include <stdio.h>

enum { WORDS = 16, HERE = 3, THERE = 4 };

int main(void)
{
    gaspi_rank_t rank;
    gaspi_pointer_t memory;
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_proc_rank(&rank);
    gaspi_segment_create(HERE, WORDS * sizeof(int), GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_segment_create(THERE, WORDS * sizeof(int), GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_segment_ptr(HERE, &memory);
    for (int word = 0; word < WORDS; word++)
        ((int *)memory)[word] = rank + word;

    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    if (rank == 0) {
        gaspi_write(HERE, 0, 1, THERE, 0, 64, 0, GASPI_BLOCK);
        gaspi_wait(0, GASPI_BLOCK);
    }
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    printf("%d\n", rank);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
