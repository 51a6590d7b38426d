/* Process 0 gives numbers to process 1 through a queue of four slots: data first, then the counter of items. */
#include <shmem.h>
#include <stdio.h>

enum { SLOTS = 4, ITEMS = 6 };

static long slots[SLOTS];
static long head, tail;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    long sum = 0;

    for (long i = 0; i < ITEMS; i++) {
        if (me == 0) {
            if (i >= SLOTS)
                shmem_long_wait_until(&tail, SHMEM_CMP_GE, i - SLOTS + 1);
            shmem_long_p(&slots[i % SLOTS], i + 1, 1);
#ifndef FORGET
            shmem_fence();
#endif
            shmem_long_atomic_set(&head, i + 1, 1);
        } else if (me == 1) {
            shmem_long_wait_until(&head, SHMEM_CMP_GE, i + 1);
            sum += slots[i % SLOTS];
            shmem_fence(); /* of two that say how far it is, the later one comes later */
            shmem_long_atomic_set(&tail, i + 1, 0);
        }
    }
    if (me == 1)
        printf("%ld\n", sum);
    shmem_finalize();
    return 0;
}
