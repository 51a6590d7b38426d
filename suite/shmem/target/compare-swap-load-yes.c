/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_atomic_compare_swap@17", "LOAD@20"], "NPROCS": 2, "DESCRIPTION": "nothing orders the compare-swap of one PE and the load of the other"} */
/* OpenSHMEM 1.5, 9.9.1, 9.11.2. */
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

    shmem_barrier_all();
    if (me == 0) {
        seen = (int)shmem_long_atomic_compare_swap((long *)&x[2], 1, 7, 1);
    }
    if (me == 1)
        seen = x[2];
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
