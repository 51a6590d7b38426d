/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "after a quiet the destination of a get_nbi is free: load"} */
/* OpenSHMEM 1.5, 4.2, 9.6. */
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    unsigned long v[4] = {10, 11, 12, 13}, seen = 0;
    unsigned long *w = shmem_calloc(4, sizeof(long)), *b = shmem_calloc(4, sizeof(long));
    unsigned long *e = shmem_calloc(4, sizeof(long));

    shmem_barrier_all();
    if (me == 0) {
        shmem_ulong_get_nbi(b, w, 2, 1);
        shmem_quiet();
        seen = b[1];
    }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
