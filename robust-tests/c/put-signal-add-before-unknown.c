// robust: not known
// ranks: 3
// from: Two producers that add to one signal, and a consumer that waits for both (OpenSHMEM 1.5 §9.8.3)
// why: The data of the second call may come before that of the first, which is not followed.
#include <shmem.h>
#include <stdint.h>

static long data[2];
static uint64_t signal;

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me > 0) {
        long value = 4;
        shmem_long_put_signal(&data[me - 1], &value, 1, &signal, 1, SHMEM_SIGNAL_ADD, 0);
        shmem_long_p(&data[me - 1], 5, 0);
    } else {
        shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 2);
        volatile long got = data[0] + data[1];
        (void)got;
    }
    shmem_finalize();
    return 0;
}
