/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the result of a reduction lies on its operand, which each has stored before"} */
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
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &sum, &sum, 1);
    printf("%d has %d\n", me, sum);
    shmem_finalize();
    return 0;
}
