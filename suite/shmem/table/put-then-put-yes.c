/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@18", "shmem_put@21"], "NPROCS": 3, "DESCRIPTION": "a put, and later a put, of the same word without an order"} */
/* OpenSHMEM 1.5, 3.2, 9. */
#include <shmem.h>
#include <stdio.h>
#include <stdint.h>
#include <unistd.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    unsigned long v[2] = {10, 11}, seen = 0;
    unsigned long *w = shmem_calloc(1, sizeof(long)), *d = shmem_calloc(2, sizeof(long));
    unsigned long *s = shmem_calloc(1, sizeof(long));

    shmem_barrier_all();
    if (me == 0)
        shmem_ulong_put(w, v, 1, 2);
    if (me == 1) {
        usleep(20000);
        shmem_ulong_put(w, v, 1, 2);
        shmem_fence();
    }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
