// robust: no
// ranks: 3
// from: Data and flag of two producers, and a consumer that waits for one of them (OpenSHMEM 1.5 §9.10)
// why: It reads the data of the other one, which may be on its way when its own flag is seen.
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
        size_t at = shmem_int_wait_until_any(flags, 2, NULL, SHMEM_CMP_EQ, 1);
        volatile long got = data[1 - at];
        if (flags[1 - at] == 1)
            got = data[1 - at];
        (void)got;
    }
    shmem_finalize();
    return 0;
}
