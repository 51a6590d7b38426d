/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a rank commits a group of its own"} */
/* GASPI 17.1, 6.3.3. */
#include <GASPI.h>
#include <stdio.h>

int main(void)
{
    const gaspi_timeout_t wait = GASPI_BLOCK;
    gaspi_rank_t me;
    gaspi_group_t first;
    gaspi_proc_init(wait);
    gaspi_proc_rank(&me);
    gaspi_segment_create(0, 64, GASPI_GROUP_ALL, wait, GASPI_MEM_INITIALIZED);
    gaspi_group_create(&first);
    gaspi_group_add(first, me);
    gaspi_group_commit(first, wait);
    gaspi_barrier(GASPI_GROUP_ALL, wait);

    printf("%d\n", me);
    gaspi_proc_term(wait);
    return 0;
}
