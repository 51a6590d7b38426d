/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@16", "LOAD@18"], "NPROCS": 2, "DESCRIPTION": "a global with a value"} */
/* OpenSHMEM 1.5, 3. */
#include <shmem.h>
#include <stdio.h>

int one[4] = {1, 2, 3, 4}, other[4] = {5, 6, 7, 8};

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, seen = 0;

    shmem_barrier_all();
    if (me == 0)
        shmem_int_put(one, v, 4, 1);
    if (me == 1)
        seen = one[3];
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
