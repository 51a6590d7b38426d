/* {"RACE_KIND": "misuse", "RACE_PAIR": ["shmem_int_put@17"], "NPROCS": 2, "NEEDS": "checked arguments", "RULE": "invalid-target", "DESCRIPTION": "a put to the PE after the last"} */
/* OpenSHMEM 1.5, 9.6. */
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
        shmem_int_put(x, v, 4, n);
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
