// robust: no
// why: As seqlock-yes without the first fence: a reader may see new data and the old version before and after it.
#include <shmem.h>

volatile int version, data[2];

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    shmem_barrier_all();
    if (me == 0) {
        shmem_int_p((int *)&version, 1, 1);
        shmem_int_p((int *)&data[0], 5, 1);
        shmem_int_p((int *)&data[1], 5, 1);
        shmem_fence();
        shmem_int_p((int *)&version, 2, 1);
    } else {
        int before = version;
        int a = data[0], b = data[1];
        int after = version;
        if (before == after && before % 2 == 0 && a != b)
            data[0] = b;
    }
    shmem_finalize();
    return 0;
}
