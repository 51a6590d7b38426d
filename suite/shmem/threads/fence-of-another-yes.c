/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@22", "LOAD@32"], "NPROCS": 2, "COMPILE": "-fopenmp", "DESCRIPTION": "the fence is of another thread, which does not know the put"} */
/* OpenSHMEM 1.5, 9.11.1. */
#include <shmem.h>
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int provided;
shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    int me = shmem_my_pe(), n = shmem_n_pes();
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, seen = 0;
    int *x = shmem_malloc(8 * sizeof(int));
    for (int i = 0; i < 8; i++)
        x[i] = me;

    shmem_barrier_all();
    if (me == 0) {
        #pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 0) {
                shmem_int_put(x, v, 4, 1);
            }
            if (omp_get_thread_num() == 1) {
                shmem_fence();
                shmem_int_atomic_set(&x[7], 9, 1);
            }
        }
    }
    if (me == 1) {
        shmem_int_wait_until(&x[7], SHMEM_CMP_EQ, 9);
        seen = x[1];
    }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
