/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the root of a broadcast is the last member of the team"} */
/* PE_root is the number of a member, from zero (OpenSHMEM 1.5, 9.9.5). */
#include <shmem.h>
#include <stdio.h>

static int from, to;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    from = me;
    shmem_int_broadcast(SHMEM_TEAM_WORLD, &to, &from, 1, n - 1);
    printf("%d has %d\n", me, to);
    shmem_finalize();
    return 0;
}
