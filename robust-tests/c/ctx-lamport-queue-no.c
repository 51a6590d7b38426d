// robust: no
// why: As ctx-lamport-queue-yes with a quiet of the other context: the index may come before the data.
#include <shmem.h>

int slots[2], head, tail;

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    shmem_ctx_t data, index;
    shmem_ctx_create(SHMEM_CTX_PRIVATE, &data);
    shmem_ctx_create(SHMEM_CTX_PRIVATE, &index);
    shmem_barrier_all();
    for (int item = 0; item < 2; item++) {
        if (me == 0) {
            while (item - *(volatile int *)&head >= 2)
                ;
            shmem_ctx_int_p(data, &slots[item % 2], item + 1, 1);
            shmem_ctx_quiet(index);
            shmem_ctx_int_p(index, &tail, item + 1, 1);
        } else {
            shmem_int_wait_until(&tail, SHMEM_CMP_GT, item);
            int got = *(volatile int *)&slots[item % 2];
            (void)got;
            shmem_ctx_int_p(index, &head, item + 1, 0);
            shmem_ctx_quiet(index);
        }
    }
    shmem_ctx_quiet(index);
    shmem_ctx_destroy(data);
    shmem_ctx_destroy(index);
    shmem_finalize();
    return 0;
}
