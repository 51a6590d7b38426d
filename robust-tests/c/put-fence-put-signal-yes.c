// robust: yes
// from: Data by two puts, of which one has a signal (OpenSHMEM 1.5 §9.8.3)
// why: The fence orders the first put before the second one, and so before the signal.
#include <shmem.h>
#include <stdint.h>

static long data[2];
static uint64_t signal;

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        long values[2] = {4, 5};
        shmem_long_put(data, values, 1, 1);
        shmem_fence();
        shmem_long_put_signal(data + 1, values + 1, 1, &signal, 1, SHMEM_SIGNAL_SET, 1);
    } else if (me == 1) {
        shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1);
        volatile long got = data[0];
        (void)got;
    }
    shmem_finalize();
    return 0;
}
