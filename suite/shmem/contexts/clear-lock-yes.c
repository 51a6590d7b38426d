/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@22", "shmem_put@22"], "NPROCS": 3, "DESCRIPTION": "clear_lock completes the default context alone"} */
/* OpenSHMEM 1.5, 9.12.1. */
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
    shmem_ctx_t c, d;
    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &c) != 0 || shmem_ctx_create(SHMEM_CTX_SERIALIZED, &d) != 0)
        shmem_global_exit(3);

    shmem_barrier_all();
    static long lock;
    if (me < 2) {
        shmem_set_lock(&lock);
        shmem_ctx_int_p(c, &x[1], me, 2);
        shmem_clear_lock(&lock);
    }
    shmem_ctx_destroy(c);
    shmem_ctx_destroy(d);
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
