// robust: yes
// from: Data and flag on one context, ordered by its fence (OpenSHMEM 1.5 §9.5, §9.11.1)
// why: A fence of a context orders the puts that were issued on it, to the same process.
#include <shmem.h>

static long data;
static int flag;

int main(void) {
    shmem_init();
    shmem_ctx_t ctx;
    shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx);
    if (shmem_my_pe() == 0) {
        long value = 4;
        shmem_ctx_long_put(ctx, &data, &value, 1, 1);
        shmem_ctx_fence(ctx);
        shmem_ctx_int_p(ctx, &flag, 1, 1);
    } else if (shmem_my_pe() == 1) {
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
        volatile long got = data;
        (void)got;
    }
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return 0;
}
