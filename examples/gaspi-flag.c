/* Two ranks: the first writes a line of values to the second, waits, and enters a barrier; the second adds the values
 * up after it. gaspi_wait says nothing of the other rank. gaspi-flag-fixed.c has the call that is missing. */
#include <GASPI.h>
#include <stdio.h>

int main(void)
{
    gaspi_rank_t me;
    gaspi_pointer_t memory;
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_proc_rank(&me);
    gaspi_segment_create(0, 4096, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_segment_ptr(0, &memory);
    double *line = memory;
    if (me == 0) {
        for (int i = 0; i < 8; i++)
            line[i] = i + 1;
        gaspi_write(0, 0, 1, 0, 1024, 8 * sizeof(double), 0, GASPI_BLOCK);
        gaspi_wait(0, GASPI_BLOCK);
    }
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    if (me == 1) {
        double sum = 0;
        for (int i = 0; i < 8; i++)
            sum += line[128 + i];
        printf("sum %g\n", sum);
    }
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}
