/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@17", "LOAD@21"], "NPROCS": 2, "DESCRIPTION": "the default context by its name is not quiet"} */
/* OpenSHMEM 1.5, 9.11.2. */
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
        shmem_ctx_int_put(SHMEM_CTX_DEFAULT, x, v, 4, 1);
    }
    shmem_sync_all();
    if (me == 1)
        seen = x[1];
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
