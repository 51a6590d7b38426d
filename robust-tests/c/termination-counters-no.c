// robust: no
// from: counters of what was sent and received, Mattern 1987
// why: The count may come before what it counts.
#include <shmem.h>
int sent, received, work[2], result;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        shmem_int_p(&work[0], 1, 1);
        shmem_int_p(&work[1], 1, 1);
        shmem_int_atomic_add(&sent, 2, 1);
        shmem_int_wait_until(&received, SHMEM_CMP_EQ, 2);
    } else if (me == 1) {
        shmem_int_wait_until(&sent, SHMEM_CMP_EQ, 2);
        int a = work[0], b = work[1];
        result = a + b;
        shmem_int_atomic_add(&received, 2, 0);
    }
    shmem_barrier_all();
    shmem_finalize();
}
