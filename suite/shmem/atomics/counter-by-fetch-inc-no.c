/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "DESCRIPTION": "a counter that all PEs increase needs nothing else"} */
/* OpenSHMEM 1.5, 3.2. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int *x = shmem_malloc(8 * sizeof(int));
    for (int i = 0; i < 8; i++)
        x[i] = me;

    shmem_barrier_all();
    int mine = shmem_int_atomic_fetch_inc(&x[0], 0);
    shmem_int_atomic_add(&x[1], mine, 0);
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, "");
    shmem_finalize();
    return 0;
}
