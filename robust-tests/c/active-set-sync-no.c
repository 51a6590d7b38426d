// robust: no
// ranks: 3
// from: A put, and the synchronisation of an active set (OpenSHMEM 1.5 §9.9)
// why: It completes no put.
#include <shmem.h>

static long data;
static long sync[SHMEM_BARRIER_SYNC_SIZE];

int main(void) {
    for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++)
        sync[i] = SHMEM_SYNC_VALUE;
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        long value = 4;
        shmem_long_put(&data, &value, 1, 2);
    }
    // Processes 0 and 2.
    if (me != 1)
        shmem_sync(0, 1, 2, sync);
    if (me == 2) {
        volatile long got = data;
        (void)got;
    }
    shmem_finalize();
    return 0;
}
