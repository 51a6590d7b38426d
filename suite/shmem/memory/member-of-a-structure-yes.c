/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@19", "LOAD@21"], "NPROCS": 2, "DESCRIPTION": "the same member of a static structure"} */
/* OpenSHMEM 1.5, 3. */
#include <shmem.h>
#include <stdio.h>

static struct {
    int count;
    int inbox[4];
} state;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, seen = 0;

    shmem_barrier_all();
    if (me == 0)
        shmem_int_put(state.inbox, v, 4, 1);
    if (me == 1)
        seen = state.inbox[1];
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
