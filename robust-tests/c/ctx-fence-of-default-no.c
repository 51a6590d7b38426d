// robust: no
// from: Data on a context, and a fence of the default one before the flag (OpenSHMEM 1.5 §9.5, §9.11.1)
// why: A fence orders what was issued on its own context, so the flag may come before the data.
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
        shmem_fence();
        shmem_int_p(&flag, 1, 1);
    } else if (shmem_my_pe() == 1) {
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
        volatile long got = data;
        (void)got;
    }
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return 0;
}
