/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a put on a context that is destroyed and made again"} */
/* OpenSHMEM 1.5, 9.5.3. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int v[4] = {10, 11, 12, 13};
    int *x = shmem_calloc(4, sizeof(int));
    shmem_ctx_t ctx;
    if (shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx) != 0)
        shmem_global_exit(3);

    shmem_ctx_destroy(ctx);
    if (shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx) != 0)
        shmem_global_exit(4);
    if (me == 0)
        shmem_ctx_int_put(ctx, x, v, 4, 1);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();

    printf("%d of %d\n", me, n);
    shmem_finalize();
    return 0;
}
