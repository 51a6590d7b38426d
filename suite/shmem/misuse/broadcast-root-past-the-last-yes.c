/* {"RACE_KIND": "misuse", "RACE_PAIR": ["shmem_int_broadcast@13"], "NPROCS": 2, "NEEDS": "checked arguments", "DESCRIPTION": "the root of a broadcast is no member of the team", "RULE": "invalid-target"} */
/* PE_root is the number of a member, from zero (OpenSHMEM 1.5, 9.9.5). */
#include <shmem.h>
#include <stdio.h>

static int from, to;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    from = me;
    shmem_int_broadcast(SHMEM_TEAM_WORLD, &to, &from, 1, n);
    printf("%d has %d\n", me, to);
    shmem_finalize();
    return 0;
}
