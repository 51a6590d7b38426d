// robust: no
// from: A put on a context, and a barrier of all (OpenSHMEM 1.5 §9.9.1)
// why: A barrier completes what was issued on the default context only.
#include <shmem.h>

static long data;

int main(void) {
    shmem_init();
    shmem_ctx_t ctx;
    shmem_ctx_create(0, &ctx);
    if (shmem_my_pe() == 0) {
        long value = 4;
        shmem_ctx_long_put(ctx, &data, &value, 1, 1);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 1) {
        volatile long got = data;
        (void)got;
    }
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return 0;
}
