/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "both take a lock, in any order, and meet in a barrier after it"} */
/* A barrier orders them after the lock; under it one would wait for the other, which waits for the lock. */
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int value = 7, seen = 0;
    int *x = shmem_malloc(sizeof(int));
    x[0] = 0;
    long *lock = shmem_calloc(1, sizeof(long));

    shmem_barrier_all();

    if (me == 0)
        usleep(50000);
    shmem_set_lock(lock);
    if (me == 0) {
        shmem_int_put(x, &value, 1, 1);
        shmem_quiet();
    }
    shmem_clear_lock(lock);
    shmem_barrier_all();

    if (me == 1)
        seen = x[0];
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
