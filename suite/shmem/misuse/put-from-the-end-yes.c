/* {"RACE_KIND": "misuse", "RACE_PAIR": ["shmem_long_put@14"], "NPROCS": 2, "NEEDS": "checked arguments", "DESCRIPTION": "a put to PE -1, as if numbers counted from the end", "RULE": "invalid-target"} */
/* OpenSHMEM 1.5, 9.5.1. */
#include <shmem.h>
#include <stdio.h>

static long ring[4];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), last = -1;
    long out[4] = {1, 2, 3, 4};
    if (me == 0)
        shmem_long_put(ring, out, 4, last);
    shmem_barrier_all();
    printf("%d: %ld\n", me, me == 0 ? 0 : ring[3]);
    shmem_finalize();
    return 0;
}
