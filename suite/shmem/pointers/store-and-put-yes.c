/* {"RACE_KIND": "remote", "RACE_PAIR": ["STORE@18", "shmem_put@20"], "NPROCS": 3, "NEEDS": "OpenSHMEM 1.5", "DESCRIPTION": "a store through shmem_ptr, and a put of a third"} */
/* OpenSHMEM 1.5, 9.3.2. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, seen = 0;
    int *x = shmem_malloc(8 * sizeof(int));
    for (int i = 0; i < 8; i++)
        x[i] = me;
    int *there = shmem_ptr(x, 1);

    shmem_barrier_all();
    if (me == 0)
        there[1] = 4;
    if (me == 2)
        shmem_int_put(x, v, 4, 1);
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
