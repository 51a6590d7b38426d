/* {"RACE_KIND": "misuse", "RACE_PAIR": ["gaspi_allreduce@16", "gaspi_allreduce@18"], "NPROCS": 2, "RULE": "collective-mismatch", "TIME_LIMIT": 3, "DESCRIPTION": "one rank asks for the sum where the other one asks for the maximum"} */
/* GASPI 17.1, 11.3.1. */
#include <GASPI.h>
#include <stdio.h>

int main(void)
{
    const gaspi_timeout_t wait = GASPI_BLOCK;
    gaspi_rank_t me;
    gaspi_proc_init(wait);
    gaspi_proc_rank(&me);
    gaspi_segment_create(0, 64, GASPI_GROUP_ALL, wait, GASPI_MEM_INITIALIZED);
    double own[2] = {me, me}, all[2] = {0, 0};

    if (me == 0)
        gaspi_allreduce(own, all, 2, GASPI_OP_SUM, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, wait);
    else
        gaspi_allreduce(own, all, 2, GASPI_OP_MAX, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, wait);
    gaspi_barrier(GASPI_GROUP_ALL, wait);

    printf("%d has %g\n", me, all[0]);
    gaspi_proc_term(wait);
    return 0;
}
