/* {"RACE_KIND": "misuse", "RACE_PAIR": ["shmem_int_wait_until@14", "shmem_barrier_all@15"], "NPROCS": 2, "RULE": "deadlock", "TIME_LIMIT": 3, "DESCRIPTION": "one PE waits for a word that the other one would write after the barrier"} */
/* OpenSHMEM 1.5, 9.10. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int *x = shmem_calloc(8, sizeof(int));
    shmem_barrier_all();

    if (me == 0)
        shmem_int_wait_until(x, SHMEM_CMP_NE, 0);
    shmem_barrier_all();
    if (me == 1)
        shmem_int_p(x, 1, 0);

    printf("%d of %d\n", me, n);
    shmem_finalize();
    return 0;
}
