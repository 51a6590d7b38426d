/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "NEEDS": "OpenSHMEM 1.5", "DESCRIPTION": "the update of a signal, and later a test of the owner that is false: these do not conflict"} */
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
        shmem_ulong_put_signal(&d[me], v, 1, w, 1, SHMEM_SIGNAL_ADD, 2);
    if (me == 2) {
        usleep(20000);
        seen = shmem_ulong_test(w, SHMEM_CMP_EQ, 77);
    }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
