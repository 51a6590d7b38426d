/* {"RACE_KIND": "misuse", "RACE_PAIR": ["shmem_int_p@10"], "NPROCS": 1, "NEEDS": "checked arguments", "RULE": "outside-library", "DESCRIPTION": "a put before init"} */
/* OpenSHMEM 1.5, 9.1.1. */
#include <shmem.h>
#include <stdio.h>

static int x[8];

int main(void)
{
    shmem_int_p(x, 4, 0);
    shmem_init();
    printf("%d\n", x[0]);
    shmem_finalize();
    return 0;
}
