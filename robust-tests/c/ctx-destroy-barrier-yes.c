// robust: yes
// from: A put on a context that is destroyed before a barrier of all (OpenSHMEM 1.5 §9.5.3)
// why: What was issued on a context is complete when that is destroyed.
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
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    if (shmem_my_pe() == 1) {
        volatile long got = data;
        (void)got;
    }
    shmem_finalize();
    return 0;
}
