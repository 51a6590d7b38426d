/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@20", "LOAD@22"], "NPROCS": 2, "DESCRIPTION": "static data of a function"} */
/* OpenSHMEM 1.5, 3. */
#include <shmem.h>
#include <stdio.h>

static int *table(void)
{
    static int all[8];
    return all;
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, seen = 0;

    shmem_barrier_all();
    if (me == 0)
        shmem_int_put(table() + 2, v, 2, 1);
    if (me == 1)
        seen = table()[3];
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
