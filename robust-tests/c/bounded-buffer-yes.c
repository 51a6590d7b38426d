// robust: yes
// why: One slot with two flags: the item comes before the flag by a fence, and is overwritten after the answer.
#include <shmem.h>

int item, full, empty;

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    shmem_barrier_all();
    for (int round = 1; round <= 2; round++) {
        if (me == 0) {
            shmem_int_wait_until(&empty, SHMEM_CMP_EQ, round - 1);
            shmem_int_p(&item, round, 1);
            shmem_fence();
            shmem_int_p(&full, round, 1);
        } else {
            shmem_int_wait_until(&full, SHMEM_CMP_EQ, round);
            int got = *(volatile int *)&item;
            (void)got;
            shmem_int_p(&empty, round, 0);
        }
    }
    shmem_finalize();
    return 0;
}
