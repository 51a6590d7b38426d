/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@25", "LOAD@19"], "NPROCS": 2, "DESCRIPTION": "a wait for the first of two values that a word is set to, and data of both are read; the origin is quick"} */
/* OpenSHMEM 1.5, 9.10: the wait may return as soon as the word compares as asked. */
#include <shmem.h>
#include <stdio.h>
#include <stdint.h>
#include <unistd.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long sum = 0;
    long *x = shmem_calloc(4, sizeof(long)), *round = shmem_calloc(1, sizeof(long));

    shmem_barrier_all();
    if (me == 0) {
        usleep(50000);
        shmem_long_wait_until(round, SHMEM_CMP_GE, 1);
        sum = x[0] + x[1];
    }
    if (me == 1)
        for (long i = 1; i <= 2; i++) {
            long value = 10 + i;
            shmem_quiet();
            shmem_long_put(&x[i - 1], &value, 1, 0);
            shmem_quiet();
            shmem_long_atomic_set(round, i, 0);
        }
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, sum == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
