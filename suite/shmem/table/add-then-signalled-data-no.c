/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "NEEDS": "OpenSHMEM 1.5", "DESCRIPTION": "a barrier between an atomic add and the data of a put_signal"} */
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
        shmem_ulong_atomic_add(w, 3, 2);
    shmem_barrier_all();
    if (me == 1) {
        shmem_ulong_put_signal(w, v, 1, s, 1, SHMEM_SIGNAL_SET, 2);
    }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
