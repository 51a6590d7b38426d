/* {"RACE_KIND": "misuse", "RACE_PAIR": ["shmem_barrier_all@19", "shmem_set_lock@16"], "NPROCS": 2, "RULE": "deadlock", "TIME_LIMIT": 3, "DESCRIPTION": "one PE waits for a lock that the other one has until after the barrier"} */
#include <shmem.h>
#include <stdio.h>

static long lock;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();

    if (me == 0)
        shmem_set_lock(&lock);
    shmem_sync_all();
    if (me == 1) {
        shmem_set_lock(&lock);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();

    printf("%d of %d\n", me, n);
    shmem_finalize();
    return 0;
}
