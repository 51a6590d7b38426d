/* {"RACE_KIND": "remote", "RACE_PAIR": ["STORE@18", "LOAD@22"], "NPROCS": 2, "NEEDS": "OpenSHMEM 1.5", "DESCRIPTION": "a flag after a store through shmem_ptr to another PE than the fence"} */
/* OpenSHMEM 1.5, 9.3.2. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, seen = 0;
    int *x = shmem_malloc(8 * sizeof(int));
    for (int i = 0; i < 8; i++)
        x[i] = me;
    int *there = shmem_ptr(x, 1);

    shmem_barrier_all();
    if (me == 0) {
        there[1] = 4;
    }
    if (me == 1) {
        shmem_int_test(&x[7], SHMEM_CMP_EQ, 9);
        seen = x[1];
    }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
