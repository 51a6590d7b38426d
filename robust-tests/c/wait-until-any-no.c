// robust: no
// ranks: 3
// from: Data and flag of two producers, and a consumer that waits for one after the other (OpenSHMEM 1.5 §9.10)
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
        int status[2] = {0, 0};
        for (int i = 0; i < 2; i++) {
            size_t at = shmem_int_wait_until_any(flags, 2, status, SHMEM_CMP_EQ, 1);
            status[at] = 1;
            volatile long got = data[at];
            (void)got;
        }
    }
    shmem_finalize();
    return 0;
}
