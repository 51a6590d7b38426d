/* A token goes round: a put with signal brings it, and whoever has it waits for the signal first. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

static long token;
static uint64_t there;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long mine = me;

    if (me != 0) {
#ifndef FORGET
        shmem_signal_wait_until(&there, SHMEM_CMP_EQ, 1);
#endif
        mine += token;
    }
    if (me != n - 1)
        shmem_long_put_signal(&token, &mine, 1, &there, 1, SHMEM_SIGNAL_SET, me + 1);
    printf("%d: %ld\n", me, mine);
    shmem_finalize();
    return 0;
}
