// robust: no
// ranks: 3
// from: Data and flag of two producers, and a consumer that waits for all, by tests (OpenSHMEM 1.5 §9.10)
// why: Without a fence the flag may come before its data.
#include <shmem.h>
#include <stddef.h>

static long data[2];
static int flags[2];

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me > 0) {
        long value = 4;
        shmem_long_put(&data[me - 1], &value, 1, 0);
        shmem_int_p(&flags[me - 1], 1, 0);
    } else {
        while (!shmem_int_test_all(flags, 2, NULL, SHMEM_CMP_EQ, 1))
            ;
        volatile long got = data[0] + data[1];
        (void)got;
    }
    shmem_finalize();
    return 0;
}
