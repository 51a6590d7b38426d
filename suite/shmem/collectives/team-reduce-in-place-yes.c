/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_int_p@15", "shmem_int_sum_reduce@16"], "NPROCS": 2, "DESCRIPTION": "a put to the operand of another, where its result comes, too, is not complete when it is called"} */
/* Nobody writes the result before its owner has handed in the operand (OpenSHMEM 1.5, 9.9.9). */
#include <shmem.h>
#include <stdio.h>

static int sum;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    sum = me + 1;
    shmem_barrier_all();
    if (me == 1)
        shmem_int_p(&sum, 5, 0);
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &sum, &sum, 1);
    printf("%d has %d\n", me, sum);
    shmem_finalize();
    return 0;
}
