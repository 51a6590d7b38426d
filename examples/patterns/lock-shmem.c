/* All processes add to a counter of process 0 under a lock. */
#include <shmem.h>
#include <stdio.h>

static long lock;
static long counter;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();

    shmem_set_lock(&lock);
    long value = shmem_long_g(&counter, 0);
#ifdef FORGET
    shmem_clear_lock(&lock);
    shmem_long_p(&counter, value + 1, 0);
#else
    shmem_long_p(&counter, value + 1, 0);
    shmem_clear_lock(&lock); /* completes the put first */
#endif

    shmem_barrier_all();
    if (me == 0)
        printf("%ld\n", counter);
    shmem_finalize();
    return 0;
}
