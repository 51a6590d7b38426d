/* {"RACE_KIND": "misuse", "RACE_PAIR": ["gaspi_barrier@16", "gaspi_allreduce@18"], "NPROCS": 2, "RULE": "collective-mismatch", "TIME_LIMIT": 3, "DESCRIPTION": "one rank waits in a barrier, the other one in a reduction"} */
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

    if (me == 0)
        gaspi_barrier(GASPI_GROUP_ALL, wait);
    else
        gaspi_allreduce(&own, &all, 1, GASPI_OP_SUM, GASPI_TYPE_INT, GASPI_GROUP_ALL, wait);
    if (me == 0)
        gaspi_allreduce(&own, &all, 1, GASPI_OP_SUM, GASPI_TYPE_INT, GASPI_GROUP_ALL, wait);
    else
        gaspi_barrier(GASPI_GROUP_ALL, wait);

    printf("%d has %d\n", me, all);
    gaspi_proc_term(wait);
    return 0;
}
