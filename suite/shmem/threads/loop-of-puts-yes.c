/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@21", "shmem_put@21"], "NPROCS": 2, "COMPILE": "-fopenmp", "DESCRIPTION": "the iterations of a parallel loop share a word"} */
/* OpenSHMEM 1.5, 9.2. */
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
        #pragma omp parallel for num_threads(2) schedule(static)
        for (int i = 0; i < 8; i++)
            shmem_int_p(&x[i / 8], i, 1);
    }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
