/* {"RACE_KIND": "misuse", "RACE_PAIR": ["shmem_long_atomic_set@16", "shmem_set_lock@15"], "NPROCS": 2, "NEEDS": "checked arguments", "RULE": "invalid-lock", "DESCRIPTION": "a lock is set to zero by who has it"} */
/* OpenSHMEM 1.5, 9.12. */
#include <shmem.h>
#include <stdio.h>

static long lock;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();

    shmem_barrier_all();
    if (me == 0) {
        shmem_set_lock(&lock);
        shmem_long_atomic_set(&lock, 0, 0);
    }
    shmem_barrier_all();

    printf("%d of %d\n", me, n);
    shmem_finalize();
    return 0;
}
