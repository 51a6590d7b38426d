/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a put of a context is complete before its memory is freed"} */
/* OpenSHMEM 1.5, 9.3.1. */
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
    shmem_ctx_t c;
    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &c) != 0)
        shmem_global_exit(3);

    shmem_barrier_all();
    if (me == 0)
        shmem_ctx_int_put(c, x, v, 4, 1);
    shmem_ctx_quiet(c);
    shmem_free(x);
    shmem_ctx_destroy(c);
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
