// robust: yes
// from: A context for each round, whose quiet comes before the barrier (OpenSHMEM 1.5 §9.11.2)
// why: The quiet of the context completes the put before the process comes to the barrier.
#include <shmem.h>

static long data;

int main(void) {
    shmem_init();
    for (int round = 0; round < 3; round++) {
        shmem_ctx_t ctx;
        shmem_ctx_create(0, &ctx);
        if (shmem_my_pe() == 0) {
            long value = 4;
            shmem_ctx_long_put(ctx, &data, &value, 1, 1);
        }
        shmem_ctx_quiet(ctx);
        shmem_barrier_all();
        if (shmem_my_pe() == 1) {
            volatile long got = data;
            (void)got;
        }
        shmem_ctx_destroy(ctx);
        shmem_barrier_all();
    }
    shmem_finalize();
    return 0;
}
