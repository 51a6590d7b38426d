/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@17", "shmem_put@19"], "NPROCS": 3, "DESCRIPTION": "the p of one PE and the p of another reach the same words of a third, and nothing orders them"} */
/* OpenSHMEM 1.5, 9.9.1. */
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
    if (me == 0)
        shmem_int_p(&x[2], 7, 2);
    if (me == 1) {
        shmem_int_p(&x[2], 7, 2);
        shmem_fence();
    }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
