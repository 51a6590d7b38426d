// robust: yes
// from: Stages of a pipeline by data, flag and acknowledgement; waits/pipeline-yes.pgas
// why: An item is ordered before its flag, and read before it is acknowledged.
#include <shmem.h>

#define ITEMS 3

static int item, full, empty = 1;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int i = 1; i <= ITEMS; i++) {
        int got = i;
        if (me > 0) {
            shmem_int_wait_until(&full, SHMEM_CMP_EQ, 1);
            full = 0;
            got = item;
            shmem_int_p(&empty, 1, me - 1);
        }
        if (me + 1 < n) {
            shmem_int_wait_until(&empty, SHMEM_CMP_EQ, 1);
            empty = 0;
            shmem_int_p(&item, got, me + 1);
            shmem_fence();
            shmem_int_p(&full, 1, me + 1);
        }
    }
    shmem_finalize();
    return 0;
}
