/* {"RACE_KIND": "local", "RACE_PAIR": ["shmem_put_nbi@22", "STORE@26"], "NPROCS": 2, "COMPILE": "-fopenmp", "DESCRIPTION": "a thread stores to the source of a put_nbi of another thread"} */
/* OpenSHMEM 1.5, 4.2. */
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
                shmem_int_put_nbi(x, v, 2, 1);
            }
            #pragma omp barrier
            if (omp_get_thread_num() == 1) {
                v[1] = 4;
            }
        }
    }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
