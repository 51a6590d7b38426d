/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "both ranks make a barrier, and then a reduction"} */
/* GASPI 17.1, 11.2, 11.3. */
#include <GASPI.h>
#include <stdio.h>

int main(void)
{
    const gaspi_timeout_t wait = GASPI_BLOCK;
    gaspi_rank_t me;
    gaspi_proc_init(wait);
    gaspi_proc_rank(&me);
    gaspi_segment_create(0, 64, GASPI_GROUP_ALL, wait, GASPI_MEM_INITIALIZED);
    int own = me, all = 0;

    gaspi_barrier(GASPI_GROUP_ALL, wait);
    gaspi_allreduce(&own, &all, 1, GASPI_OP_SUM, GASPI_TYPE_INT, GASPI_GROUP_ALL, wait);

    printf("%d has %d\n", me, all);
    gaspi_proc_term(wait);
    return 0;
}
