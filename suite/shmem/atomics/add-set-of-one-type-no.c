/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "DESCRIPTION": "atomic operations of one type are atomic to one another, whatever they do"} */
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
    if (me == 0)
        shmem_int_atomic_add(&x[2], 7, 2);
    if (me == 1)
        shmem_int_atomic_set(&x[2], 9, 2);
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, "");
    shmem_finalize();
    return 0;
}
