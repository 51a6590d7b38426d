/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a word beside a lock is set to zero"} */
/* OpenSHMEM 1.5, 9.12. */
#include <shmem.h>
#include <stdio.h>

static long words[2];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();

    shmem_barrier_all();
    if (me == 0) {
        shmem_set_lock(&words[0]);
        shmem_long_atomic_set(&words[1], 0, 0);
        shmem_clear_lock(&words[0]);
    }
    shmem_barrier_all();

    printf("%d of %d\n", me, n);
    shmem_finalize();
    return 0;
}
